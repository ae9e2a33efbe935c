package wasm

// Op is an instruction: its byte; that of a vector, its number behind the prefix
// plus simd; of a saturating truncation, its number plus 1 << 8.
type Op uint16

const (
	saturating = 0xfc // and what is done to much memory
	vector     = 0xfd
	simd       = 1 << 12
)

// Instructions that have methods of their own.
const (
	block     Op = 0x02
	loop      Op = 0x03
	ifThen    Op = 0x04
	elseThen  Op = 0x05
	end       Op = 0x0b
	br        Op = 0x0c
	call      Op = 0x10
	localGet  Op = 0x20
	localSet  Op = 0x21
	localTee  Op = 0x22
	i32Const  Op = 0x41
	i64Const  Op = 0x42
	f64Const  Op = 0x44
	v128Const Op = simd + 0x0c
)

// Instructions, named as in the specification.
const (
	Return Op = 0x0f
	Drop   Op = 0x1a
	Select Op = 0x1b // of reals see [Func.SelectF64]

	I64Load  Op = 0x29
	F64Load  Op = 0x2b
	I64Store Op = 0x37
	F64Store Op = 0x39

	I32Eqz Op = 0x45
	I32Eq  Op = 0x46
	I32Ne  Op = 0x47
	I32LtS Op = 0x48
	I32LtU Op = 0x49
	I32GtS Op = 0x4a
	I64Eqz Op = 0x50
	I64Eq  Op = 0x51
	I64Ne  Op = 0x52
	I64LtS Op = 0x53
	I64LtU Op = 0x54
	I64GeU Op = 0x5a
	I64GtS Op = 0x55
	I64LeS Op = 0x57
	F64Eq  Op = 0x61
	F64Ne  Op = 0x62
	F64Lt  Op = 0x63
	F64Le  Op = 0x65
	F64Ge  Op = 0x66

	I32Add  Op = 0x6a
	I32Sub  Op = 0x6b
	I32Mul  Op = 0x6c
	I32DivU Op = 0x6e
	I32RemU Op = 0x70
	I32And  Op = 0x71
	I32Or   Op = 0x72
	I32Shl  Op = 0x74
	I32ShrU Op = 0x76
	I64Add  Op = 0x7c
	I64Sub  Op = 0x7d
	I64Mul  Op = 0x7e
	I64DivS Op = 0x7f
	I64And  Op = 0x83
	I64Xor  Op = 0x85
	I64ShrS Op = 0x87
	I64ShrU Op = 0x88

	F64Abs     Op = 0x99
	F64Neg     Op = 0x9a
	F64Floor   Op = 0x9c
	F64Nearest Op = 0x9e
	F64Sqrt    Op = 0x9f
	F64Add     Op = 0xa0
	F64Sub     Op = 0xa1
	F64Mul     Op = 0xa2
	F64Div     Op = 0xa3
	F64Min     Op = 0xa4
	F64Max     Op = 0xa5

	I32WrapI64        Op = 0xa7
	I64ExtendI32S     Op = 0xac
	I64ExtendI32U     Op = 0xad
	F64ConvertI64S    Op = 0xb9
	I64ReinterpretF64 Op = 0xbd
	F64ReinterpretI64 Op = 0xbf
	I64TruncSatF64S   Op = 1<<8 + 6

	V128Load         Op = simd + 0x00
	V128Store        Op = simd + 0x0b
	V128Load64Zero   Op = simd + 0x5d
	F64x2Splat       Op = simd + 0x14
	I64x2Splat       Op = simd + 0x12
	I64x2ExtractLane Op = simd + 0x1d
	I64x2ReplaceLane Op = simd + 0x1e
	F64x2ExtractLane Op = simd + 0x21
	F64x2ReplaceLane Op = simd + 0x22
	F64x2Eq          Op = simd + 0x47
	F64x2Ne          Op = simd + 0x48
	F64x2Lt          Op = simd + 0x49
	F64x2Le          Op = simd + 0x4b
	F64x2Ge          Op = simd + 0x4c
	V128Not          Op = simd + 0x4d
	V128And          Op = simd + 0x4e
	V128AndNot       Op = simd + 0x4f
	V128Or           Op = simd + 0x50
	V128Xor          Op = simd + 0x51
	V128Bitselect    Op = simd + 0x52
	V128AnyTrue      Op = simd + 0x53
	I32x4ExtractLane Op = simd + 0x1b
	I32x4Mul         Op = simd + 0xb5
	I64x2Neg         Op = simd + 0xc1
	I64x2Bitmask     Op = simd + 0xc4
	I64x2Shl         Op = simd + 0xcb
	I64x2ShrU        Op = simd + 0xcd
	I64x2Add         Op = simd + 0xce
	I64x2Sub         Op = simd + 0xd1
	I64x2Mul         Op = simd + 0xd5
	I64x2Eq          Op = simd + 0xd6
	I64x2LtS         Op = simd + 0xd8
	I64x2GtS         Op = simd + 0xd9
	F64x2Floor       Op = simd + 0x75
	F64x2Nearest     Op = simd + 0x94
	F64x2Abs         Op = simd + 0xec
	F64x2Neg         Op = simd + 0xed
	F64x2Sqrt        Op = simd + 0xef
	F64x2Add         Op = simd + 0xf0
	F64x2Sub         Op = simd + 0xf1
	F64x2Mul         Op = simd + 0xf2
	F64x2Div         Op = simd + 0xf3
	F64x2Min         Op = simd + 0xf4
	F64x2Max         Op = simd + 0xf5
	F64x2Pmin        Op = simd + 0xf6
	F64x2Pmax        Op = simd + 0xf7
)
