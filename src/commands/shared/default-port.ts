/** Another one than that of `serve`, which may run beside it. */
export const defaultPort = '4100';
