#ifndef __litmus_sys_cdefs_h
#define __litmus_sys_cdefs_h
#define __BEGIN_DECLS
#define __END_DECLS
#endif
