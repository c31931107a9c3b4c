// The gateway under test: BASE_URL.
export const baseUrl = (__ENV.BASE_URL || 'http://127.0.0.1:5000').replace(/\/+$/, '');
