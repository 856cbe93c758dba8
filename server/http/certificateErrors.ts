/** Whether a code of Node's TLS says that the peer's certificate is refused. */
export const isCertificateError = (code: string): boolean => /CERT|SIGNATURE|ISSUER|CRL/.test(code)
