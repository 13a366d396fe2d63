	.text
.Ltext0:
P0:
.LFB0:
	.loc 1 3 15
	.loc 1 4 3
	la	a5,x
	li	a4,1
	amoadd.w zero,a4,0(a5)
	.loc 1 5 1
	ret
.LFE0:
P1:
.LFB1:
	.loc 1 6 15
	.loc 1 7 8
	la	a5,x
	li	a3,1
	amoadd.w a4,a3,0(a5)
	.loc 1 9 9
	la	a5,P1_r0
	sw	a4,0(a5)
	.loc 1 10 1
	ret
.LFE1:
.Letext0:
