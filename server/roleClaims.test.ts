import { describe, expect, it } from 'vitest'
import { parseEnv } from './env.ts'
import { findRole, parseClaimMap } from './roleClaims.ts'

describe('a claim map', () => {
  it('gives the highest role of the values that are there', () => {
    const map = parseClaimMap('groups:a=viewer,urn:b=admin')
    expect(
      [{ groups: ['a', 'urn:b'] }, { groups: 'a' }, { groups: { a: true } }, {}].map((one) => findRole(map, one)),
    ).toEqual(['admin', 'viewer', null, null])
    const within = parseClaimMap('realm_access.roles:x=operator')
    expect(findRole(within, { realm_access: { roles: ['x'] } })).toBe('operator')
    const named = parseClaimMap('https://acme.example/roles: x = operator')
    expect(findRole(named, { 'https://acme.example/roles': ['x'] })).toBe('operator')
  })

  it.each([
    ['groups:"cn=loupe-admins,ou=groups,dc=acme"=admin, loupe=viewer', 'groups', 'cn=loupe-admins,ou=groups,dc=acme'],
    ['groups:loupe=viewer,"a ""quoted"" name, with a comma" = admin', 'groups', 'a "quoted" name, with a comma'],
    ['groups:cn=admins=admin', 'groups', 'cn=admins'],
    ['"cognito:groups":admins=admin', 'cognito:groups', 'admins'],
  ])('may have quotes: %s', (text, claim, value) => {
    expect(findRole(parseClaimMap(text), { [claim]: [value] })).toBe('admin')
    expect(findRole(parseClaimMap(text), { [claim]: [`${value} `] })).toBeNull()
  })

  it.each([
    ['groups', /no colon/],
    ['groups:', /entry 1 is not a value/],
    ['groups:a', /entry 1 is not a value/],
    ['groups:a=root', /entry 1 ends with none of the roles/],
    ['groups:=admin', /entry 1 has no value/],
    ['groups:""=admin', /entry 1 has no value/],
    ['groups:a=admin,', /entry 2 is not a value/],
    ['groups:a=admin,b=viewer,a=viewer', /entry 3 repeats/],
    ['groups:"a=admin', /not closed/],
    ['groups:"a"b=admin', /entry 1 is not a value/],
    ['groups:cn=loupe-admins,ou=groups,dc=acme=admin', /entry 1 ends with none of the roles.*double quotes/],
  ])('stops the start, and says what is wrong: %s', (text, message) => {
    const start = () => parseEnv({ OIDC_ROLES: text })
    expect(start).toThrow(/OIDC_ROLES: must be a claim/)
    expect(start).toThrow(message)
  })

  it('is needed with a provider', () => {
    expect(() => parseEnv({ OIDC_ISSUER: 'https://id.example' })).toThrow(
      /OIDC_CLIENT_ID.*\n.*OIDC_ROLES.*\n.*PUBLIC_URL/,
    )
    expect(() => parseEnv({ OIDC_ISSUER: 'http://id.example' })).toThrow(/https/)
  })

  it('stands beside parameters of the request, which cannot replace those of the flow', () => {
    expect(parseEnv({ OIDC_PARAMETERS: 'access_type=offline&prompt=consent' }).OIDC_PARAMETERS).toBe(
      'access_type=offline&prompt=consent',
    )
    for (const text of ['state=x', 'prompt=consent&redirect_uri=https://evil.example', 'prompt', '?prompt=none'])
      expect(() => parseEnv({ OIDC_PARAMETERS: text })).toThrow(/OIDC_PARAMETERS: must be parameters/)
  })
})
