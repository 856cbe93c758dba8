import { BlockList } from 'node:net'

/** IPv4 addresses that are always blocked, and private ones. */
export const FORBIDDEN_IPV4 = [
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '239.1.2.3',
]
export const RESERVED_IPV4 = [
  '168.63.129.16',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.7',
]
export const PRIVATE_IPV4 = [
  '127.0.0.1',
  '127.9.8.7',
  '10.1.2.3',
  '172.16.5.4',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
]

/** The notations of an IPv4 address as a host. */
export function listIpv4Notations(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = bytes
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0')
  const high = hex((a << 8) | b)
  const low = hex((c << 8) | d)
  const wide = [...address].map((digit) => (digit === '.' ? '。' : String.fromCharCode(digit.charCodeAt(0) + 0xfee0)))
  return [
    address,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    `0${whole.toString(8)}`,
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8).padStart(3, '0')}`).join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${address}.`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    wide.join(''),
    bytes.join('%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
  ]
}

const toBlockList = (ranges: string): BlockList => {
  const blocked = new BlockList()
  for (const range of ranges.trim().split(/\s+/)) {
    const [address = '', bits] = range.split('/')
    blocked.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return blocked
}

/** The special-purpose address registries in the operating system's own matcher: the test oracle of the egress policy. */
export const FORBIDDEN_RANGES = toBlockList(`
  0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
  240.0.0.0/4 192.175.48.0/24 192.31.196.0/24 192.52.193.0/24 100.100.100.200/32
  ::/128 fe80::/10 ff00::/8 100::/64 ::ffff:0:0:0/96 64:ff9b:1::/48 2001::/23 2001:db8::/32 3fff::/20 5f00::/16
  2620:4f:8000::/48 fd00:ec2::254/128`)
export const PRIVATE_RANGES = toBlockList(
  '127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 ::1/128 fc00::/7 fec0::/10',
)
