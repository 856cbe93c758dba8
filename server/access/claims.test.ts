import { describe, expect, it } from 'vitest'
import { readEnv } from '../env.ts'
import { readClaimMap, roleBy } from './claims.ts'

describe('a claim map', () => {
  it('gives the highest role of the values that are there', () => {
    const map = readClaimMap('groups:a=viewer,urn:b=admin')
    expect(
      map && [{ groups: ['a', 'urn:b'] }, { groups: 'a' }, { groups: { a: true } }, {}].map((one) => roleBy(map, one)),
    ).toEqual(['admin', 'viewer', null, null])
    const within = readClaimMap('realm_access.roles:x=operator')
    expect(within && roleBy(within, { realm_access: { roles: ['x'] } })).toBe('operator')
    const named = readClaimMap('https://acme.example/roles:x=operator')
    expect(named && roleBy(named, { 'https://acme.example/roles': ['x'] })).toBe('operator')
  })

  it('is refused at the start when it is none', () => {
    for (const text of [
      '',
      'groups',
      'groups:',
      'groups:a',
      'groups:a=root',
      'groups:=admin',
      'groups:a=admin,a=viewer',
    ])
      expect([text, readClaimMap(text)]).toEqual([text, null])
    expect(() => readEnv({ OIDC_ISSUER: 'https://id.example' })).toThrow(
      /OIDC_CLIENT_ID.*\n.*OIDC_ROLES.*\n.*PUBLIC_URL/,
    )
    expect(() => readEnv({ OIDC_ISSUER: 'http://id.example' })).toThrow(/https/)
  })
})
