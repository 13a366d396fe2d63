#ifndef __litmus_features_h
#define __litmus_features_h
#endif
