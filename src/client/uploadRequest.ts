/** Upload progress in bytes of the request body. */
export interface UploadProgress {
  sent: number
  total: number
}

export interface OutgoingRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: BodyInit
}

/**
 * Sends a form with upload progress. `fetch` has no upload progress, so this is the only use of XMLHttpRequest.
 * @throws DOMException `AbortError` after `signal`, TypeError on a network error, both as `fetch` does.
 */
export function uploadWithProgress(
  { url, method, headers, body }: OutgoingRequest,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress: (progress: UploadProgress) => void },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total })
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new TypeError('The connection broke.'))
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    if (signal?.aborted) return request.onabort(new ProgressEvent('abort'))
    signal?.addEventListener('abort', abort)
    request.send(body as XMLHttpRequestBodyInit)
  })
}
