import assert from 'node:assert/strict'
import { it } from 'node:test'
import { refusedLicences } from './licences-page.js'

it('a package that is shipped under a licence which nobody has looked at is refused', () => {
  const locked = (license: string | undefined, more: object = {}) => ({
    version: '1.0.0',
    ...(license === undefined ? {} : { license }),
    ...more,
  })
  assert.deepEqual(
    refusedLicences({
      '': locked('Whatever'),
      'node_modules/a': locked('MIT'),
      'node_modules/b': locked('AGPL-3.0'),
      'node_modules/b/node_modules/@x/c': locked('(MIT OR GPL-3.0)'),
      'node_modules/d': locked('Apache-2.0 AND GPL-3.0'),
      'node_modules/e': locked('GPL-3.0', { dev: true }),
      'node_modules/f': locked('GPL-3.0', { optional: true }),
      'node_modules/g': locked(undefined),
      'node_modules/react-dom': locked('MIT', { dev: true, dependencies: { h: '1' } }),
      'node_modules/react-dom/node_modules/h': locked('SSPL-1.0', { dev: true }),
      'node_modules/h': locked('MIT', { dev: true }),
      'node_modules/libsignal': locked('GPL-3.0'),
      'node_modules/@img/sharp-libvips-linux-x64': locked('LGPL-3.0-or-later'),
    }),
    [
      'b 1.0.0: AGPL-3.0',
      'd 1.0.0: Apache-2.0 AND GPL-3.0',
      'f 1.0.0: GPL-3.0',
      'g 1.0.0: none is named',
      'h 1.0.0: SSPL-1.0',
    ],
  )
})
