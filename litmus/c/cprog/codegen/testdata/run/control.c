// Loops, switch, goto and what short-circuits.
int calls;
int yes(void) { calls++; return 1; }
int no(void) { calls++; return 0; }

int classify(int n) {
	int r = 0;
	switch (n) {
	case 1:
		r += 1;
	case 2:
		r += 10;
		break;
	default:
		r = 99;
		break;
	case 3: {
		int k = 2;
		if (k)
			switch (k) { case 2: r = 33; break; default: r = 34; }
		break;
	}
	case 10 ... 20:
		r = 55;
	case -1:
		return r + 1;
	}
	return r;
}

int duff(int n) {
	int sum = 0, i = 0;
	switch (n % 3) {
	case 0: do { sum += ++i;
	case 2:      sum += ++i;
	case 1:      sum += ++i;
		} while (i < n);
	}
	return sum;
}

int gotos(int n) {
	int s = 0;
again:
	if (n == 0)
		goto out;
	s += n--;
	goto again;
out:
	return s;
}

int test(void) {
	int bad = 0, n = 0;
	for (int i = 0; i < 10; i++) {
		if (i == 3) continue;
		if (i == 7) break;
		n += i;
	}
	if (n != 18) bad |= 1;
	int k = 0;
	while (k < 5 && n) { k++; n--; }
	if (k != 5 || n != 13) bad |= 2;
	do k--; while (k > 0 || n-- > 10);
	if (k != -3 || n != 9) bad |= 4;
	for (;;) if (++n > 20) break;
	if (n != 21) bad |= 8;
	if (classify(1) != 11 || classify(2) != 10 || classify(3) != 33 || classify(4) != 99 || classify(15) != 56 || classify(-1) != 1)
		bad |= 16;
	if (duff(7) != 28 || duff(9) != 45 || duff(5) != 15) bad |= 32;
	if (gotos(10) != 55) bad |= 64;
	calls = 0;
	if (no() && yes()) bad |= 128;
	if (calls != 1) bad |= 128;
	if (!(yes() || no()) || calls != 2) bad |= 256;
	if ((no() || yes()) && (no() || no() || yes()) && calls == 7) ; else bad |= 512;
	int v = no() || (no(), yes());
	int w = yes() && no();
	if (v != 1 || w != 0 || calls != 12) bad |= 1024;
	if (!(no() && (yes() && 5))) ; else bad |= 1 << 18;
	while (no() || (calls < 20 && yes()));
	if (calls != 20 && calls != 21) bad |= 2048;
	for (n = 0; no() || n < 4; n++);
	do ; while (no() || n++ < 9);
	if (n != 10) bad |= 4096;
	while (1) { while (1) { if (n++ > 12) goto done; else continue; } }
done:
	if (n != 14) bad |= 8192;
	int t = n > 3 ? yes() : no();
	n ? (void)(t = 5) : (void)0;
	if (t != 5) bad |= 16384;
	if (0) { bad |= 1 << 15; inside: n++; goto end; }
	n = 0;
	for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) { if (b > a) break; n += a * 3 + b; }
	if (n != 28) bad |= 1 << 17;
	goto inside;
end:
	if (n != 29) bad |= 1 << 16;
	return bad;
}
