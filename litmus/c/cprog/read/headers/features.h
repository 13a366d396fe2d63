#ifndef __litmus_features_h
#define __litmus_features_h
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 41
#define __GLIBC_PREREQ(major, minor) (2 > (major) || 2 == (major) && 41 >= (minor))
#define __GNUC_PREREQ(major, minor) (__GNUC__ > (major) || __GNUC__ == (major) && __GNUC_MINOR__ >= (minor))
#endif
