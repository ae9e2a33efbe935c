#include "textflag.h"

// A row of a tile is three vectors. In each step one number of the left factor is multiplied by three vectors of the
// right one, which all rows share, and the products are added to the row.
#define ROW512(offset, c0, c1, c2) \
	VBROADCASTSD offset(SI), Z27 \
	VFMADD231PD Z24, Z27, c0 \
	VFMADD231PD Z25, Z27, c1 \
	VFMADD231PD Z26, Z27, c2

#define ADD512(c0, c1, c2) \
	VADDPD (DX), c0, c0 \
	VADDPD 64(DX), c1, c1 \
	VADDPD 128(DX), c2, c2 \
	ADDQ R8, DX

#define STORE512(c0, c1, c2) \
	VMOVUPD c0, (DX) \
	VMOVUPD c1, 64(DX) \
	VMOVUPD c2, 128(DX) \
	ADDQ R8, DX

#define ZERO512(c0, c1, c2) \
	VPXORQ c0, c0, c0 \
	VPXORQ c1, c1, c1 \
	VPXORQ c2, c2, c2

// func tile512(k int, a, b, c *float64, stride int, add bool)
TEXT ·tile512(SB), NOSPLIT, $0-41
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ c+24(FP), DX
	MOVQ stride+32(FP), R8
	SHLQ $3, R8
	ZERO512(Z0, Z1, Z2)
	ZERO512(Z3, Z4, Z5)
	ZERO512(Z6, Z7, Z8)
	ZERO512(Z9, Z10, Z11)
	ZERO512(Z12, Z13, Z14)
	ZERO512(Z15, Z16, Z17)
	ZERO512(Z18, Z19, Z20)
	ZERO512(Z21, Z22, Z23)

loop512:
	VMOVUPD (DI), Z24
	VMOVUPD 64(DI), Z25
	VMOVUPD 128(DI), Z26
	ROW512(0, Z0, Z1, Z2)
	ROW512(8, Z3, Z4, Z5)
	ROW512(16, Z6, Z7, Z8)
	ROW512(24, Z9, Z10, Z11)
	ROW512(32, Z12, Z13, Z14)
	ROW512(40, Z15, Z16, Z17)
	ROW512(48, Z18, Z19, Z20)
	ROW512(56, Z21, Z22, Z23)
	ADDQ $64, SI
	ADDQ $192, DI
	DECQ CX
	JNZ loop512

	MOVBLZX add+40(FP), AX
	TESTL AX, AX
	JZ store512
	MOVQ DX, R9
	ADD512(Z0, Z1, Z2)
	ADD512(Z3, Z4, Z5)
	ADD512(Z6, Z7, Z8)
	ADD512(Z9, Z10, Z11)
	ADD512(Z12, Z13, Z14)
	ADD512(Z15, Z16, Z17)
	ADD512(Z18, Z19, Z20)
	ADD512(Z21, Z22, Z23)
	MOVQ R9, DX

store512:
	STORE512(Z0, Z1, Z2)
	STORE512(Z3, Z4, Z5)
	STORE512(Z6, Z7, Z8)
	STORE512(Z9, Z10, Z11)
	STORE512(Z12, Z13, Z14)
	STORE512(Z15, Z16, Z17)
	STORE512(Z18, Z19, Z20)
	STORE512(Z21, Z22, Z23)
	VZEROUPPER
	RET

#define ROW256(offset, c0, c1, c2) \
	VBROADCASTSD offset(SI), Y15 \
	VFMADD231PD Y12, Y15, c0 \
	VFMADD231PD Y13, Y15, c1 \
	VFMADD231PD Y14, Y15, c2

#define ADD256(c0, c1, c2) \
	VADDPD (DX), c0, c0 \
	VADDPD 32(DX), c1, c1 \
	VADDPD 64(DX), c2, c2 \
	ADDQ R8, DX

#define STORE256(c0, c1, c2) \
	VMOVUPD c0, (DX) \
	VMOVUPD c1, 32(DX) \
	VMOVUPD c2, 64(DX) \
	ADDQ R8, DX

#define ZERO256(c0, c1, c2) \
	VXORPD c0, c0, c0 \
	VXORPD c1, c1, c1 \
	VXORPD c2, c2, c2

// func tile256(k int, a, b, c *float64, stride int, add bool)
TEXT ·tile256(SB), NOSPLIT, $0-41
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ c+24(FP), DX
	MOVQ stride+32(FP), R8
	SHLQ $3, R8
	ZERO256(Y0, Y1, Y2)
	ZERO256(Y3, Y4, Y5)
	ZERO256(Y6, Y7, Y8)
	ZERO256(Y9, Y10, Y11)

loop256:
	VMOVUPD (DI), Y12
	VMOVUPD 32(DI), Y13
	VMOVUPD 64(DI), Y14
	ROW256(0, Y0, Y1, Y2)
	ROW256(8, Y3, Y4, Y5)
	ROW256(16, Y6, Y7, Y8)
	ROW256(24, Y9, Y10, Y11)
	ADDQ $32, SI
	ADDQ $96, DI
	DECQ CX
	JNZ loop256

	MOVBLZX add+40(FP), AX
	TESTL AX, AX
	JZ store256
	MOVQ DX, R9
	ADD256(Y0, Y1, Y2)
	ADD256(Y3, Y4, Y5)
	ADD256(Y6, Y7, Y8)
	ADD256(Y9, Y10, Y11)
	MOVQ R9, DX

store256:
	STORE256(Y0, Y1, Y2)
	STORE256(Y3, Y4, Y5)
	STORE256(Y6, Y7, Y8)
	STORE256(Y9, Y10, Y11)
	VZEROUPPER
	RET
