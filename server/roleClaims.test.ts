import { describe, expect, it } from 'vitest'
import { parseEnv } from './env.ts'
import { parseClaimMap, findRole } from './roleClaims.ts'

describe('a claim map', () => {
  it('gives the highest role of the values that are there', () => {
    const map = parseClaimMap('groups:a=viewer,urn:b=admin')
    expect(
      map &&
        [{ groups: ['a', 'urn:b'] }, { groups: 'a' }, { groups: { a: true } }, {}].map((one) => findRole(map, one)),
    ).toEqual(['admin', 'viewer', null, null])
    const within = parseClaimMap('realm_access.roles:x=operator')
    expect(within && findRole(within, { realm_access: { roles: ['x'] } })).toBe('operator')
    const named = parseClaimMap('https://acme.example/roles:x=operator')
    expect(named && findRole(named, { 'https://acme.example/roles': ['x'] })).toBe('operator')
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
      expect([text, parseClaimMap(text)]).toEqual([text, null])
    expect(() => parseEnv({ OIDC_ISSUER: 'https://id.example' })).toThrow(
      /OIDC_CLIENT_ID.*\n.*OIDC_ROLES.*\n.*PUBLIC_URL/,
    )
    expect(() => parseEnv({ OIDC_ISSUER: 'http://id.example' })).toThrow(/https/)
  })
})
