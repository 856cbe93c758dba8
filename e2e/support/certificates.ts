import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'

/** A certificate with its key, in PEM, and what signs others with it. */
export interface Certificate {
  cert: string
  key: string
  signer: { name: string; key: KeyObject }
}
interface CertificateOptions {
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
export function createCertificate({
  name,
  names = [name],
  by,
  isAuthority = false,
  from = -1,
  until = 1,
}: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const signer = by?.signer ?? { name, key: privateKey }
  const extensions = [
    toExtension('551d13', toSequence(...(isAuthority ? [toDer(0x01, Buffer.from([0xff]))] : []))),
    toExtension('551d11', toSequence(...names.map(toAlternativeName))),
  ]
  const body = toSequence(
    toDer(0xa0, toDer(0x02, Buffer.from([2]))),
    toDer(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    SHA256_WITH_ECDSA,
    toDistinguishedName(signer.name),
    toSequence(toGeneralizedTime(from), toGeneralizedTime(until)),
    toDistinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    toDer(0xa3, toSequence(...extensions)),
  )
  const der = toSequence(body, SHA256_WITH_ECDSA, toBitString(sign('sha256', body, signer.key)))
  return {
    cert: new X509Certificate(der).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signer: { name, key: privateKey },
  }
}

/** DER: a tag, a length, the content. */
function toDer(kind: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([kind, ...length]), content])
}
const toSequence = (...parts: Buffer[]) => toDer(0x30, Buffer.concat(parts))
const toObjectIdentifier = (hex: string) => toDer(0x06, Buffer.from(hex, 'hex'))
const toBitString = (content: Buffer) => toDer(0x03, Buffer.concat([Buffer.from([0]), content]))
const SHA256_WITH_ECDSA = toSequence(toObjectIdentifier('2a8648ce3d040302'))
const toDistinguishedName = (name: string) =>
  toSequence(toDer(0x31, toSequence(toObjectIdentifier('550403'), toDer(0x0c, Buffer.from(name)))))
const toExtension = (id: string, value: Buffer) => toSequence(toObjectIdentifier(id), toDer(0x04, value))
const toGeneralizedTime = (days: number) => {
  const time = new Date(Date.now() + days * 86_400_000).toISOString()
  return toDer(0x18, Buffer.from(`${time.slice(0, 19).replace(/[-:T]/g, '')}Z`))
}

/** A name, or an IPv4 address. */
const toAlternativeName = (name: string) =>
  /^[\d.]+$/.test(name) ? toDer(0x87, Buffer.from(name.split('.').map(Number))) : toDer(0x82, Buffer.from(name))
