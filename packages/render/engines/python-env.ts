/**
 * Lets engines that are written in Python run as any user on a read-only root: whatever they and their libraries write goes into the
 * cache, and a user that no file names has a name all the same.
 */
export const PYTHON_ENV = {
  HOME: '/cache',
  USER: 'engine',
  LOGNAME: 'engine',
  XDG_CACHE_HOME: '/cache/xdg',
  XDG_CONFIG_HOME: '/cache/xdg-config',
  TRITON_CACHE_DIR: '/cache/triton',
  TORCHINDUCTOR_CACHE_DIR: '/cache/torchinductor',
  FLASHINFER_WORKSPACE_BASE: '/cache',
  NUMBA_CACHE_DIR: '/cache/numba',
  OUTLINES_CACHE_DIR: '/cache/outlines',
  CUDA_CACHE_PATH: '/cache/nv',
  PYTHONDONTWRITEBYTECODE: '1',
  HF_HUB_DISABLE_TELEMETRY: '1',
  DO_NOT_TRACK: '1',
} as const;
