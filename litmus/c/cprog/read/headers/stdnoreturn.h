#ifndef __litmus_stdnoreturn_h
#define __litmus_stdnoreturn_h
#define noreturn _Noreturn
#endif
