/** The nonce that this page's style tags must carry; the server puts it on the module script. */
export const styleNonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
