#ifndef __litmus_math_h
#define __litmus_math_h
/* Floating point is refused where a program gets to it; one that only includes this has none. */
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
double sqrt(double);
double cbrt(double);
double pow(double, double);
double exp(double);
double log(double);
double log2(double);
double log10(double);
double sin(double);
double cos(double);
double tan(double);
double atan(double);
double atan2(double, double);
double fabs(double);
double floor(double);
double ceil(double);
double round(double);
double trunc(double);
double fmod(double, double);
double fmin(double, double);
double fmax(double, double);
double hypot(double, double);
float sqrtf(float);
float powf(float, float);
float fabsf(float);
float floorf(float);
float ceilf(float);
float roundf(float);
float fmodf(float, float);
#endif
