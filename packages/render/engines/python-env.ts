/**
 * Lets engines that are written in Python run as any user on a read-only root: whatever they and their libraries write goes into the
 * cache, and a user that no file names has a name all the same.
 */
export const PYTHON_ENV = {
  HOME: '/cache/home',
  USER: 'engine',
  LOGNAME: 'engine',
  XDG_CACHE_HOME: '/cache/xdg',
  XDG_CONFIG_HOME: '/cache/xdg-config',
  TRITON_CACHE_DIR: '/cache/triton',
  TORCHINDUCTOR_CACHE_DIR: '/cache/torchinductor',
  FLASHINFER_WORKSPACE_BASE: '/cache/flashinfer',
  NUMBA_CACHE_DIR: '/cache/numba',
  OUTLINES_CACHE_DIR: '/cache/outlines',
  DO_NOT_TRACK: '1',
} as const;
