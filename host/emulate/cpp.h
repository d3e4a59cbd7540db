/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The emulate target in C++17. portable.h and target.h choose by _Generic, and declare types inside
 * of expressions; here overloads and templates take the place of those macros. target.h includes
 * this at its end, in C++ alone.
 */

/* ---- rules ---- */

#undef PORTABLE_RULE_
#define PORTABLE_RULE_(condition, sentence)                                                        \
    (__extension__({                                                                               \
        static_assert(condition, sentence);                                                        \
        0;                                                                                         \
    }))
#undef PORTABLE_HAS_TYPE_RULE_
#define PORTABLE_HAS_TYPE_RULE_(name, function, names) 0
#undef PORTABLE_INTEGER_
#define PORTABLE_INTEGER_(n)                                                                       \
    PORTABLE_RULE_((PORTABLE_INDEX_(n))0.5f == (PORTABLE_INDEX_(n))0,                              \
                   "the bound of a loop must be an integer")

/* ---- warps and collectives ---- */

/* The function of that name, for the type of its argument. Shuffles also take the integers that are
 * promoted to int; for collectives any other type selects a deleted function. */
#undef PORTABLE_WARP_SUFFIX_
#undef PORTABLE_SHUFFLE_SUFFIX_
#define PORTABLE_WARP_SUFFIX_(name, value) portable_##name##_
#define PORTABLE_SHUFFLE_SUFFIX_(name, value) portable_##name##_

#define PORTABLE_TRADE_AS_(type, suffix)                                                           \
    PORTABLE_INLINE_ type portable_trade_(enum portable_exchange_ kind, unsigned mask,             \
                                          unsigned width, type value, unsigned operand,            \
                                          const char *name, const char *file, int line)            \
    {                                                                                              \
        return (type)portable_trade_##suffix##_(kind, mask, width, value, operand, name, file,     \
                                                line);                                             \
    }                                                                                              \
    PORTABLE_INLINE_ type portable_trade_all_(enum portable_exchange_ kind, type value,            \
                                              unsigned operand, const char *name,                  \
                                              const char *file, int line)                          \
    {                                                                                              \
        return (type)portable_trade_all_##suffix##_(kind, value, operand, name, file, line);       \
    }
#define PORTABLE_COLLECTIVE_AS_(function, type, suffix)                                            \
    PORTABLE_INLINE_ type portable_##function##_(type value, int how, const char *name,            \
                                                 const char *file, int line)                       \
    {                                                                                              \
        return portable_##function##_##suffix##_(value, how, name, file, line);                    \
    }
#define PORTABLE_COLLECTIVES_AS_(type, suffix)                                                     \
    PORTABLE_COLLECTIVE_AS_(reduce_add, type, suffix)                                              \
    PORTABLE_COLLECTIVE_AS_(reduce_min, type, suffix)                                              \
    PORTABLE_COLLECTIVE_AS_(reduce_max, type, suffix)                                              \
    PORTABLE_COLLECTIVE_AS_(scan, type, suffix)
PORTABLE_FOR_WARP_TYPES_(PORTABLE_TRADE_AS_)
PORTABLE_TRADE_AS_(long, ll)
PORTABLE_TRADE_AS_(unsigned long, ull)
PORTABLE_FOR_WARP_TYPES_(PORTABLE_COLLECTIVES_AS_)
#define PORTABLE_NO_COLLECTIVE_(function)                                                          \
    template <class Type>                                                                          \
    Type portable_##function##_(Type value, int how, const char *name, const char *file,           \
                                int line) = delete;
PORTABLE_NO_COLLECTIVE_(reduce_add)
PORTABLE_NO_COLLECTIVE_(reduce_min)
PORTABLE_NO_COLLECTIVE_(reduce_max)
PORTABLE_NO_COLLECTIVE_(scan)
#undef PORTABLE_TRADE_AS_
#undef PORTABLE_COLLECTIVE_AS_
#undef PORTABLE_COLLECTIVES_AS_
#undef PORTABLE_NO_COLLECTIVE_

/* ---- fragments ---- */

#undef PORTABLE_FRAGMENT_LOADER_
#define PORTABLE_FRAGMENT_LOADER_(fragment) portable_fragment_loader_(fragment)
#define PORTABLE_LOADER_AS_(kind, type)                                                            \
    PORTABLE_INLINE_ auto portable_fragment_loader_(const portable_fragment_##kind##_ &)           \
    {                                                                                              \
        return portable_fragment_load_##type##_;                                                   \
    }
PORTABLE_LOADER_AS_(a, half)
PORTABLE_LOADER_AS_(b, half)
PORTABLE_LOADER_AS_(c, float)
#undef PORTABLE_LOADER_AS_

/* ---- atomics ---- */

#undef PORTABLE_ATOMIC_
#undef PORTABLE_LOAD_OR_STORE_
#define PORTABLE_ATOMIC_(types, name, family, op, pointer, ...)                                    \
    portable_##family##_##op##_((pointer), __VA_ARGS__)
#define PORTABLE_LOAD_OR_STORE_(name, op, pointer, ...)                                            \
    portable_##op##_((pointer)__VA_OPT__(, ) __VA_ARGS__)
#define PORTABLE_ATOMIC_AS_(op, type, suffix)                                                      \
    PORTABLE_INLINE_ type portable_plain_##op##_(type *pointer, type value)                        \
    {                                                                                              \
        return portable_plain_##op##_##suffix##_(pointer, value);                                  \
    }                                                                                              \
    PORTABLE_INLINE_ type portable_in_block_##op##_(type *pointer, type value)                     \
    {                                                                                              \
        return portable_in_block_##op##_##suffix##_(pointer, value);                               \
    }
#define PORTABLE_CAS_LOAD_STORE_AS_(op, type, suffix)                                              \
    PORTABLE_INLINE_ type portable_plain_cas_(type *pointer, type compare, type value)             \
    {                                                                                              \
        return portable_plain_cas_##suffix##_(pointer, compare, value);                            \
    }                                                                                              \
    PORTABLE_INLINE_ type portable_in_block_cas_(type *pointer, type compare, type value)          \
    {                                                                                              \
        return portable_in_block_cas_##suffix##_(pointer, compare, value);                         \
    }                                                                                              \
    PORTABLE_INLINE_ type portable_load_(const type *pointer)                                      \
    {                                                                                              \
        return portable_load_##suffix##_(pointer);                                                 \
    }                                                                                              \
    PORTABLE_INLINE_ void portable_store_(type *pointer, type value)                               \
    {                                                                                              \
        portable_store_##suffix##_(pointer, value);                                                \
    }
PORTABLE_FOR_ATOMICS_(PORTABLE_ATOMIC_AS_)
PORTABLE_FOR_NUMBERS_(PORTABLE_CAS_LOAD_STORE_AS_, cas)
#undef PORTABLE_ATOMIC_AS_
#undef PORTABLE_CAS_LOAD_STORE_AS_

/* ---- the call of a kernel ---- */

/* The address of a kernel's bounds, or NULL. A declaration in a function would have the function's
 * linkage, which may be that of C, C++ or an unnamed namespace. */
#if defined(__x86_64__)
#define PORTABLE_ADDRESS_OF_(symbol) "movq " symbol "@GOTPCREL(%%rip), %0"
#else
#define PORTABLE_ADDRESS_OF_(symbol)                                                               \
    "adrp %0, :got:" symbol "\n\tldr %0, [%0, :got_lo12:" symbol "]"
#endif
#undef PORTABLE_BOUNDS_
#define PORTABLE_BOUNDS_(name)                                                                     \
    (__extension__({                                                                               \
        const unsigned *portable_at_;                                                              \
        __asm__(".weak portable_bounds_" #name                                                     \
                "_\n\t" PORTABLE_ADDRESS_OF_("portable_bounds_" #name "_")                         \
                : "=r"(portable_at_));                                                             \
        portable_at_;                                                                              \
    }))

/* Converts the arguments to the kernel's parameters, as a call does. */
template <class Type> struct portable_as_it_is_ {
    typedef Type type;
};
template <class... Types>
static inline void portable_call_(void (*kernel)(Types...),
                                  typename portable_as_it_is_<Types>::type... arguments)
{
    const size_t bytes = (size_t(0) + ... + ((sizeof(Types) + 15) / 16 * 16));
    ((void (*)(Types...))portable_emulate_prepare_((portable_function_)kernel, bytes))(
        arguments...);
}
#undef PORTABLE_CALL_
#define PORTABLE_CALL_(name, ...) portable_call_(&*(name), ##__VA_ARGS__)

template <class Given, class... Types>
static inline portable_status
portable_launch_child_(const char *name, const unsigned *bounds, void (*run)(const void *),
                       void (*)(Types...), dim3 grid, dim3 block, size_t shared_bytes,
                       typename portable_as_it_is_<Types>::type... arguments)
{
    const Given given = {arguments...};
    return portable_child_(name, bounds, run, grid, block, shared_bytes, &given, sizeof given);
}
#undef PORTABLE_CPU_DEVICE_LAUNCH_
#define PORTABLE_CPU_DEVICE_LAUNCH_(name, grid, block, shared_bytes, ...)                          \
    portable_launch_child_<struct name##_declared_by_KERNEL_CHILD>(                                \
        #name, &portable_bounds_##name##_, portable_run_##name##_, name, portable_extents_(grid),  \
        portable_extents_(block), (size_t)(shared_bytes), __VA_ARGS__)
