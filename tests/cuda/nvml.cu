/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lnvidia-ml
/* NVML: what it says of the first device is what the runtime says. */
#include <cuda_runtime.h>
#include <nvml.h>

#include <cstdio>
#include <cstring>

int main()
{
    unsigned count = 0, index = 7, value = 0;
    nvmlDevice_t device = nullptr, same = nullptr;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("before %d\n", nvmlDeviceGetCount(&count));
    printf("init %d", nvmlInit());
    printf(" %d", nvmlDeviceGetCount(&count));
    printf(" %s\n", count >= 1 ? "found" : "none");
    printf("device %d", nvmlDeviceGetHandleByIndex(0, &device));
    printf(" %d", nvmlDeviceGetIndex(device, &index));
    printf(" %u\n", index);

    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE];
    int status = nvmlDeviceGetName(device, name, sizeof name);
    printf("name %d %s\n", status, strcmp(name, properties.name) == 0 ? "the same" : name);
    status = nvmlDeviceGetUUID(device, uuid, sizeof uuid);
    status |= nvmlDeviceGetHandleByUUID(uuid, &same);
    printf("uuid %d %s\n", status, same == device ? "the same" : uuid);
    printf("short name %d\n", nvmlDeviceGetName(device, name, 1));

    int major = 0, minor = 0, version = 0;
    status = nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
    printf("capability %d %s\n", status,
           major == properties.major && minor == properties.minor ? "the same" : "another");
    nvmlMemory_t memory;
    status = nvmlDeviceGetMemoryInfo(device, &memory);
    printf("memory %d %s\n", status,
           memory.total > 0 && memory.used <= memory.total ? "sensible" : "not sensible");
    nvmlUtilization_t utilization;
    status = nvmlDeviceGetUtilizationRates(device, &utilization);
    printf("utilization %d %s\n", status, utilization.gpu <= 100 ? "sensible" : "not sensible");
    status = nvmlSystemGetCudaDriverVersion(&version);
    printf("version %d %s\n", status, version >= 12000 ? "sensible" : "not sensible");
    char driver[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];
    status = nvmlSystemGetDriverVersion(driver, sizeof driver);
    printf("driver %d %s\n", status, driver[0] ? "sensible" : "empty");
    status = nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value);
    printf("temperature %s\n",
           status == NVML_SUCCESS || status == NVML_ERROR_NOT_SUPPORTED ? "known or not" : "wrong");
    nvmlValueType_t type;
    count = 0;
    status = nvmlDeviceGetSamples(device, NVML_GPU_UTILIZATION_SAMPLES, 0, &type, &count, nullptr);
    printf("samples %s\n", status == NVML_SUCCESS || status == NVML_ERROR_NOT_SUPPORTED ||
                                   status == NVML_ERROR_NOT_FOUND
                               ? "some or none"
                               : "wrong");
    unsigned long long reasons = 0;
    status = nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons);
    printf("clocks %s\n", (status == NVML_SUCCESS || status == NVML_ERROR_NOT_SUPPORTED) &&
                                  (reasons & nvmlClocksThrottleReasonAll) == reasons
                              ? "limited or not"
                              : "wrong");

    printf("index %d\n", nvmlDeviceGetHandleByIndex(4711, &same));
    printf("%s\n", nvmlErrorString(NVML_ERROR_INVALID_ARGUMENT));
    printf("shutdown %d", nvmlShutdown());
    printf(" %d\n", nvmlDeviceGetCount(&count));
    return 0;
}
