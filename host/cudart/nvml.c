/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libnvidia-ml: NVML's common calls, answered by the runtime's properties of its one device.
 */
#include "host/cudart/include/nvml.h"
#include "host/cudart/include/cuda_runtime_api.h"

#include <stdio.h>  /* snprintf */
#include <string.h> /* strcmp, strlen */

struct nvmlDevice_st {
    int index;
};
static struct nvmlDevice_st the_device;
static int users; /* of init without shutdown */

#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error;                                                                          \
    } while (0)
#define REQUIRE_INIT() REQUIRE(__atomic_load_n(&users, __ATOMIC_RELAXED), NVML_ERROR_UNINITIALIZED)
#define REQUIRE_ARGUMENT(condition) REQUIRE(condition, NVML_ERROR_INVALID_ARGUMENT)
#define REQUIRE_DEVICE(device)                                                                     \
    do {                                                                                           \
        REQUIRE_INIT();                                                                            \
        REQUIRE_ARGUMENT((device) == &the_device);                                                 \
    } while (0)

nvmlReturn_t nvmlInit_v2(void)
{
    __atomic_fetch_add(&users, 1, __ATOMIC_RELAXED);
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    (void)flags;
    return nvmlInit_v2();
}
nvmlReturn_t nvmlShutdown(void)
{
    REQUIRE_INIT();
    __atomic_fetch_sub(&users, 1, __ATOMIC_RELAXED);
    return NVML_SUCCESS;
}
const char *nvmlErrorString(nvmlReturn_t result)
{
    static const char *const texts[] = {
        "Success",
        "Uninitialized",
        "Invalid Argument",
        "Not Supported",
        "Insufficient Permissions",
        "Already Initialized",
        "Not Found",
        "Insufficient Size",
        "Insufficient External Power",
        "Driver Not Loaded",
        "Timeout",
        "Interrupt Request Issue",
        "NVML Shared Library Not Found",
        "Function Not Found",
        "Corrupted infoROM",
        "GPU is lost",
        "GPU requires restart",
        "The operating system has blocked the request.",
        "RM has detected an NVML/RM version mismatch.",
        "GPU is currently in use",
        "Insufficient Memory",
        "No data",
    };
    return (unsigned)result < sizeof texts / sizeof texts[0] ? texts[result] : "Unknown Error";
}

/* Gives a text, if there is room for it. */
static nvmlReturn_t give(char *to, unsigned int length, const char *text)
{
    REQUIRE_ARGUMENT(to);
    REQUIRE(strlen(text) < length, NVML_ERROR_INSUFFICIENT_SIZE);
    snprintf(to, length, "%s", text);
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    REQUIRE_INIT();
    return give(version, length, "580.00");
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    return give(version, length, "13.580.00");
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    REQUIRE_ARGUMENT(version);
    return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count)
{
    REQUIRE_INIT();
    REQUIRE_ARGUMENT(count);
    *count = 1;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    REQUIRE_INIT();
    REQUIRE_ARGUMENT(device && index == 0);
    *device = &the_device;
    return NVML_SUCCESS;
}
static nvmlReturn_t properties_of(nvmlDevice_t device, struct cudaDeviceProp *properties)
{
    REQUIRE_DEVICE(device);
    return cudaGetDeviceProperties(properties, 0) == cudaSuccess ? NVML_SUCCESS
                                                                 : NVML_ERROR_UNKNOWN;
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    struct cudaDeviceProp properties;
    char text[NVML_DEVICE_UUID_BUFFER_SIZE] = "GPU-";
    const nvmlReturn_t result = properties_of(device, &properties);
    REQUIRE(result == NVML_SUCCESS, result);
    for (int i = 0; i < 16; i++) {
        const size_t end = strlen(text);
        snprintf(text + end, sizeof text - end, "%s%02x",
                 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                 (unsigned char)properties.uuid.bytes[i]);
    }
    return give(uuid, length, text);
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char own[NVML_DEVICE_UUID_BUFFER_SIZE];
    REQUIRE_INIT();
    REQUIRE_ARGUMENT(uuid && device);
    const nvmlReturn_t result = nvmlDeviceGetUUID(&the_device, own, sizeof own);
    REQUIRE(result == NVML_SUCCESS, result);
    REQUIRE(strcmp(uuid, own) == 0, NVML_ERROR_NOT_FOUND);
    *device = &the_device;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
    int index;
    REQUIRE_INIT();
    REQUIRE_ARGUMENT(id && device);
    REQUIRE(cudaDeviceGetByPCIBusId(&index, id) == cudaSuccess, NVML_ERROR_NOT_FOUND);
    *device = &the_device;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(index);
    *index = 0;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    struct cudaDeviceProp properties;
    const nvmlReturn_t result = properties_of(device, &properties);
    REQUIRE(result == NVML_SUCCESS, result);
    return give(name, length, properties.name);
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    const nvmlPciInfo_t none = {.busIdLegacy = "0000:00:00.0", .busId = "00000000:00:00.0"};
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(pci);
    *pci = none;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    size_t available, total;
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(memory);
    REQUIRE(cudaMemGetInfo(&available, &total) == cudaSuccess, NVML_ERROR_UNKNOWN);
    memory->total = total;
    memory->free = available;
    memory->used = total - available;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlMemory_t plain;
    REQUIRE_ARGUMENT(memory && memory->version == nvmlMemory_v2);
    const nvmlReturn_t result = nvmlDeviceGetMemoryInfo(device, &plain);
    REQUIRE(result == NVML_SUCCESS, result);
    memory->total = plain.total;
    memory->reserved = 0;
    memory->free = plain.free;
    memory->used = plain.used;
    return NVML_SUCCESS;
}
/* No kernel runs while the host calls. */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization)
{
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(utilization);
    utilization->gpu = utilization->memory = 0;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    struct cudaDeviceProp properties;
    REQUIRE_ARGUMENT(major && minor);
    const nvmlReturn_t result = properties_of(device, &properties);
    REQUIRE(result == NVML_SUCCESS, result);
    *major = properties.major;
    *minor = properties.minor;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(mode);
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(mode);
    *mode = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                     nvmlProcessInfo_t *processes)
{
    (void)processes;
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(count);
    *count = 0;
    return NVML_SUCCESS;
}

#define NOT_SUPPORTED(name, type)                                                                  \
    nvmlReturn_t name(nvmlDevice_t device, type *value)                                            \
    {                                                                                              \
        REQUIRE_DEVICE(device);                                                                    \
        REQUIRE_ARGUMENT(value);                                                                   \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
#define NOT_SUPPORTED_OF(name, kind)                                                               \
    nvmlReturn_t name(nvmlDevice_t device, kind which, unsigned int *value)                        \
    {                                                                                              \
        (void)which;                                                                               \
        REQUIRE_DEVICE(device);                                                                    \
        REQUIRE_ARGUMENT(value);                                                                   \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
NOT_SUPPORTED_OF(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t)
NOT_SUPPORTED_OF(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t)
NOT_SUPPORTED(nvmlDeviceGetFanSpeed, unsigned int)
NOT_SUPPORTED(nvmlDeviceGetPowerUsage, unsigned int)
NOT_SUPPORTED(nvmlDeviceGetPowerManagementLimit, unsigned int)
NOT_SUPPORTED(nvmlDeviceGetEnforcedPowerLimit, unsigned int)
NOT_SUPPORTED(nvmlDeviceGetTotalEnergyConsumption, unsigned long long)
NOT_SUPPORTED_OF(nvmlDeviceGetClockInfo, nvmlClockType_t)
NOT_SUPPORTED_OF(nvmlDeviceGetMaxClockInfo, nvmlClockType_t)
NOT_SUPPORTED_OF(nvmlDeviceGetApplicationsClock, nvmlClockType_t)
NOT_SUPPORTED(nvmlDeviceGetPerformanceState, nvmlPstates_t)
NOT_SUPPORTED(nvmlDeviceGetCurrentClocksEventReasons, unsigned long long)
NOT_SUPPORTED(nvmlDeviceGetSupportedClocksEventReasons, unsigned long long)
NOT_SUPPORTED(nvmlDeviceGetCurrentClocksThrottleReasons, unsigned long long)
NOT_SUPPORTED(nvmlDeviceGetSupportedClocksThrottleReasons, unsigned long long)
nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned int memory_mhz,
                                             unsigned int graphics_mhz)
{
    (void)memory_mhz;
    (void)graphics_mhz;
    REQUIRE_DEVICE(device);
    return NVML_ERROR_NOT_SUPPORTED;
}
nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device)
{
    REQUIRE_DEVICE(device);
    return NVML_ERROR_NOT_SUPPORTED;
}
nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type,
                                  unsigned long long last, nvmlValueType_t *value_type,
                                  unsigned int *count, nvmlSample_t *samples)
{
    (void)type;
    (void)last;
    (void)samples;
    REQUIRE_DEVICE(device);
    REQUIRE_ARGUMENT(value_type);
    REQUIRE_ARGUMENT(count);
    return NVML_ERROR_NOT_SUPPORTED;
}
