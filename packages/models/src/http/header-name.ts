/** What HTTP allows as the name of a header. */
export const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
