package term

// A Deriver derives programs, in one of the ways that [module.Generals] names: grad, jvp, vjp,
// jacobian or hessian. The result is a program with further inputs, the changes of the
// inputs in wrt or a cotangent of the result, which come after those of p. It results
// in a tuple of which the first component is the value, and what was asked for follows.
// One more way is apply: the program itself, with linear maps carried out.
type Deriver func(how string, p *Program, wrt []string) (*Program, error)
