import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'

/** A certificate with its key, in PEM, and what signs others with it. */
export interface Certificate {
  cert: string
  key: string
  signer: { name: string; key: KeyObject }
}
interface Wish {
  /** The subject, and unless `names` says otherwise the one name that it is for. */
  name: string
  names?: string[]
  /** Who signs; itself, where nobody is named. */
  by?: Certificate
  isAuthority?: boolean
  /** Days from now. */
  from?: number
  until?: number
}

/** Makes an X.509 certificate (RFC 5280) of an elliptic key: as right or as wrong as a test wishes it. */
export function certify({ name, names = [name], by, isAuthority = false, from = -1, until = 1 }: Wish): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const signer = by?.signer ?? { name, key: privateKey }
  const extensions = [
    extension('551d13', sequence(...(isAuthority ? [tag(0x01, Buffer.from([0xff]))] : []))),
    extension('551d11', sequence(...names.map(alternative))),
  ]
  const body = sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    SHA256_WITH_ECDSA,
    distinguished(signer.name),
    sequence(moment(from), moment(until)),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(...extensions)),
  )
  const der = sequence(body, SHA256_WITH_ECDSA, bits(sign('sha256', body, signer.key)))
  return {
    cert: new X509Certificate(der).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signer: { name, key: privateKey },
  }
}

/** DER: a tag, a length, the content. */
function tag(kind: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([kind, ...length]), content])
}
const sequence = (...parts: Buffer[]) => tag(0x30, Buffer.concat(parts))
const identifier = (hex: string) => tag(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => tag(0x03, Buffer.concat([Buffer.from([0]), content]))
const SHA256_WITH_ECDSA = sequence(identifier('2a8648ce3d040302'))
const distinguished = (name: string) =>
  sequence(tag(0x31, sequence(identifier('550403'), tag(0x0c, Buffer.from(name)))))
const extension = (id: string, value: Buffer) => sequence(identifier(id), tag(0x04, value))
const moment = (days: number) => {
  const time = new Date(Date.now() + days * 86_400_000).toISOString()
  return tag(0x18, Buffer.from(`${time.slice(0, 19).replace(/[-:T]/g, '')}Z`))
}

/** A name, or an IPv4 address. */
const alternative = (name: string) =>
  /^[\d.]+$/.test(name) ? tag(0x87, Buffer.from(name.split('.').map(Number))) : tag(0x82, Buffer.from(name))
