#ifndef __litmus_stdalign_h
#define __litmus_stdalign_h
#define alignas _Alignas
#define alignof _Alignof
#endif
