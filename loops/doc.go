// Package loops has loops of states compute and keep less: loops that take the same steps become
// one, and of the state only what changes and is used is left ([Settle]); what the loop on the way
// back of a gradient would compute again is kept ([WithResiduals]); and of long loops only some
// states are kept, and the others computed again ([InRounds]). These are inductions on the steps
// of a loop, or choices between loops, and a rule sees one step: so they are not rules.
package loops
