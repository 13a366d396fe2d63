#ifndef __litmus_lkmm_h
#define __litmus_lkmm_h
/* The primitives of the Linux kernel that its memory model knows, and a little of what
   surrounds them. */
#include <linux/types.h>

#define READ_ONCE(x) ((__typeof__(x))READ_ONCE(&(x)))
#define WRITE_ONCE(x, v) WRITE_ONCE(&(x), (v))
#define ACCESS_ONCE(x) READ_ONCE(x)
#define smp_load_acquire(p) (__litmus_of(p) smp_load_acquire(p))
#define smp_store_mb(x, v) smp_store_mb(&(x), (v))
#define rcu_dereference(p) ((__typeof__(p))rcu_dereference(&(p)))
#define rcu_dereference_raw(p) rcu_dereference(p)
#define rcu_dereference_check(p, c) rcu_dereference(p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_access_pointer(p) READ_ONCE(p)
#define srcu_dereference(p, s) rcu_dereference(p)
#define lockless_dereference(p) rcu_dereference(p)
#define rcu_assign_pointer(p, v) rcu_assign_pointer(&(p), (v))
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define smp_cond_load_relaxed(p, c) ({ __typeof__(*(p)) VAL; for (;;) { VAL = READ_ONCE(*(p)); if (c) break; } VAL; })
#define smp_cond_load_acquire(p, c) ({ __typeof__(*(p)) VAL; for (;;) { VAL = smp_load_acquire(p); if (c) break; } VAL; })
#define smp_acquire__after_ctrl_dep() smp_rmb()
#define smp_read_barrier_depends() ((void)0)
#define mb() smp_mb()
#define rmb() smp_rmb()
#define wmb() smp_wmb()
#define smp_mb__before_atomic_inc() smp_mb__before_atomic()
#define smp_mb__after_atomic_inc() smp_mb__after_atomic()
#define smp_mb__before_atomic_dec() smp_mb__before_atomic()
#define smp_mb__after_atomic_dec() smp_mb__after_atomic()
void smp_store_release();
void smp_mb(void);
void smp_rmb(void);
void smp_wmb(void);
void barrier(void);
void smp_mb__before_atomic(void);
void smp_mb__after_atomic(void);
void smp_mb__after_spinlock(void);
void smp_mb__after_unlock_lock(void);
void smp_mb__after_srcu_read_unlock(void);
#define cpu_relax() barrier()
#define cond_resched() ((void)0)
#define preempt_disable() barrier()
#define preempt_enable() barrier()
#define local_irq_save(flags) ((void)((flags) = 0))
#define local_irq_restore(flags) ((void)(flags))

void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void synchronize_rcu_expedited(void);
struct srcu_struct { int __index; };
#define DEFINE_SRCU(s) struct srcu_struct s
#define DEFINE_STATIC_SRCU(s) static struct srcu_struct s
#define init_srcu_struct(s) 0
#define cleanup_srcu_struct(s) ((void)0)
int srcu_read_lock(struct srcu_struct *);
void srcu_read_unlock(struct srcu_struct *, int);
int srcu_down_read(struct srcu_struct *);
void srcu_up_read(struct srcu_struct *, int);
void synchronize_srcu(struct srcu_struct *);
void synchronize_srcu_expedited(struct srcu_struct *);

typedef struct spinlock { int __private; } spinlock_t;
typedef struct raw_spinlock { int __private; } raw_spinlock_t;
#define __SPIN_LOCK_UNLOCKED(l) { 0 }
#define __RAW_SPIN_LOCK_UNLOCKED(l) { 0 }
#define DEFINE_SPINLOCK(l) spinlock_t l = { 0 }
#define DEFINE_RAW_SPINLOCK(l) raw_spinlock_t l = { 0 }
#define spin_lock_irqsave(l, flags) ((void)((flags) = 0), spin_lock(l))
#define spin_unlock_irqrestore(l, flags) ((void)(flags), spin_unlock(l))
#define raw_spin_lock_irqsave(l, flags) ((void)((flags) = 0), raw_spin_lock(l))
#define raw_spin_unlock_irqrestore(l, flags) ((void)(flags), raw_spin_unlock(l))
void spin_lock_init(spinlock_t *);
void spin_lock(spinlock_t *);
void spin_lock_irq(spinlock_t *);
void spin_lock_bh(spinlock_t *);
int spin_trylock(spinlock_t *);
void spin_unlock(spinlock_t *);
void spin_unlock_irq(spinlock_t *);
void spin_unlock_bh(spinlock_t *);
int spin_is_locked(spinlock_t *);
void raw_spin_lock_init(raw_spinlock_t *);
void raw_spin_lock(raw_spinlock_t *);
int raw_spin_trylock(raw_spinlock_t *);
void raw_spin_unlock(raw_spinlock_t *);
int raw_spin_is_locked(raw_spinlock_t *);

#define ATOMIC_INIT(v) { (v) }
#define ATOMIC64_INIT(v) { (v) }
#define ATOMIC_LONG_INIT(v) { (v) }
#define xchg(p, v) (__litmus_of(p) xchg((p), (v)))
#define xchg_relaxed(p, v) (__litmus_of(p) xchg_relaxed((p), (v)))
#define xchg_acquire(p, v) (__litmus_of(p) xchg_acquire((p), (v)))
#define xchg_release(p, v) (__litmus_of(p) xchg_release((p), (v)))
#define cmpxchg(p, o, v) (__litmus_of(p) cmpxchg((p), (o), (v)))
#define cmpxchg_relaxed(p, o, v) (__litmus_of(p) cmpxchg_relaxed((p), (o), (v)))
#define cmpxchg_acquire(p, o, v) (__litmus_of(p) cmpxchg_acquire((p), (o), (v)))
#define cmpxchg_release(p, o, v) (__litmus_of(p) cmpxchg_release((p), (o), (v)))
_Bool try_cmpxchg();
_Bool try_cmpxchg_relaxed();
_Bool try_cmpxchg_acquire();
_Bool try_cmpxchg_release();
/* The functions on atomic_t give int without a declaration; these do not. */
s64 atomic64_read(const atomic64_t *);
s64 atomic64_read_acquire(const atomic64_t *);
s64 atomic64_add_return(s64, atomic64_t *);
s64 atomic64_sub_return(s64, atomic64_t *);
s64 atomic64_inc_return(atomic64_t *);
s64 atomic64_dec_return(atomic64_t *);
s64 atomic64_fetch_add(s64, atomic64_t *);
s64 atomic64_xchg(atomic64_t *, s64);
s64 atomic64_cmpxchg(atomic64_t *, s64, s64);
long atomic_long_read(const atomic_long_t *);
long atomic_long_read_acquire(const atomic_long_t *);
long atomic_long_add_return(long, atomic_long_t *);
long atomic_long_sub_return(long, atomic_long_t *);
long atomic_long_inc_return(atomic_long_t *);
long atomic_long_dec_return(atomic_long_t *);
long atomic_long_fetch_add(long, atomic_long_t *);
long atomic_long_xchg(atomic_long_t *, long);
long atomic_long_cmpxchg(atomic_long_t *, long, long);

#define likely(x) (!!(x))
#define unlikely(x) (!!(x))
#define BUG() __litmus_assert(0, "BUG() is not reached")
#define BUG_ON(c) __litmus_assert(!(c), "!(" #c ")")
#define WARN_ON(c) ({ int __warn = !!(c); __litmus_assert(!__warn, "!(" #c ")"); __warn; })
#define WARN_ON_ONCE(c) WARN_ON(c)
#define BUILD_BUG_ON(c) ((void)sizeof(char[1 - 2 * !!(c)]))
void __litmus_assert(int, const char *);
#endif
