/** Whether an error code of Node's TLS means that the peer's certificate was rejected. */
export const isCertificateError = (code: string): boolean => /CERT|SIGNATURE|ISSUER|CRL/.test(code)
