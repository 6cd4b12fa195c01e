import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isMaskedProxyUrl, maskedProxyUrl, parseProxySettings, parseProxyUrl } from './proxy.js'

describe('the URL of a proxy', () => {
  it('gives scheme, host, port and decoded credentials', () => {
    assert.deepEqual(parseProxyUrl('socks5h://us%40er:p%3Ass%2F@Proxy.Example.com:1081'), {
      scheme: 'socks5h',
      host: 'proxy.example.com',
      port: 1081,
      username: 'us@er',
      password: 'p:ss/',
    })
    const readPort = (url: string) => (parseProxyUrl(url) as { port: number }).port
    assert.deepEqual(
      ['http://h', 'https://h', 'socks5://h', 'socks5h://h/', 'socks5://h:80', 'https://h:80', 'http://h:443'].map(
        readPort,
      ),
      [80, 443, 1080, 1080, 80, 80, 443],
    )
    const { host } = parseProxyUrl('http://[2001:db8::1]:3128') as { host: string }
    assert.equal(host, '2001:db8::1')
  })

  it('is refused with a reason that does not repeat it', () => {
    const wrong: readonly [string, RegExp][] = [
      ['', /begins with/],
      ['proxy.example.com:8080', /begins with/],
      ['socks://h:1', /begins with/],
      ['socks4://h:1', /begins with/],
      ['ftp://h', /begins with/],
      ['http://', /host/],
      ['http://h:99999', /host/],
      ['http://h:0', /port/],
      ['http://u:secret@h/path', /path/],
      ['http://u:sec#ret@h', /host|path/],
      ['http://u:%zz-secret@h', /%25/],
      ['http://u:secret%0d%0aX: y@h', /control/],
      ['http://a%3Ab:secret@h', /colon/],
      [`socks5://u:${'x'.repeat(256)}@h`, /255 bytes/],
      [`http://${'x'.repeat(3_000)}`, /2048/],
    ]
    for (const [url, reason] of wrong) {
      const why = parseProxyUrl(url)
      assert.equal(typeof why, 'string', url)
      assert.match(why as string, reason, url)
      assert.doesNotMatch(why as string, /secret/)
    }
  })

  it('is shown without its secret', () => {
    assert.equal(maskedProxyUrl('http://user:secret@h:8080'), 'http://user:***@h:8080')
    assert.equal(maskedProxyUrl('http://token@h:8080'), 'http://***@h:8080')
    assert.equal(maskedProxyUrl('socks5://h'), 'socks5://h:1080')
    assert.equal(maskedProxyUrl('http://[::1]:1'), 'http://[::1]:1')
    assert.equal(maskedProxyUrl('broken'), '')
    for (const url of ['http://user:secret@h:8080', 'http://token@h:8080'])
      assert.deepEqual([isMaskedProxyUrl(maskedProxyUrl(url)), isMaskedProxyUrl(url)], [true, false])
    assert.equal(isMaskedProxyUrl('socks5://h'), false)
  })

  it('is stored with its fallback, and nothing else is taken for settings', () => {
    const settings = { url: 'http://h:1', fallback: 'never' }
    assert.deepEqual(parseProxySettings(JSON.stringify({ ...settings, more: 1 })), settings)
    for (const wrong of ['', 'null', '[]', '{}', '"x"', '{"url":1}', '{"url":"x","fallback":"never"}'])
      assert.equal(parseProxySettings(wrong), null, wrong)
    assert.equal(parseProxySettings(JSON.stringify({ ...settings, fallback: 'direct' })), null)
  })
})
