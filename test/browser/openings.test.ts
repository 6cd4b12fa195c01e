import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { packageRoot } from '../../lib/package-root.js'
import { hostileOpenings, openings } from './openings.js'

const source = path.join(packageRoot, 'dashboard', 'src')
/** A question is drawn by `Confirm`, which the parts of pages use. */
const GENERAL = new Set(['components/confirm.tsx', 'components/menu.tsx'])
/** The page of all parts, which `parts.browser.ts` opens. */
const PARTS = 'parts/parts.tsx'
/** Only a phone has it: `pages.browser.ts` opens it there. */
const NARROW_ONLY = new Set(['features/navigation/phone-bottom.tsx'])

it('opens each dialog and menu of the dashboard in a test', () => {
  const opened = new Map<string, number>()
  for (const { of } of [...openings, ...hostileOpenings]) opened.set(of, (opened.get(of) ?? 0) + 1)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => !GENERAL.has(name) && !NARROW_ONLY.has(name) && name !== PARTS)
  const shown = new Map(files.map((name) => [name, countDialogs(readFileSync(path.join(source, name), 'utf8'))]))
  const missing = files.filter((name) => (shown.get(name) ?? 0) > (opened.get(name) ?? 0))
  assert.deepEqual(missing, [], 'add an opening for each dialog and menu of these files to test/browser/openings.ts')
  const gone = [...opened.keys()].filter((name) => (shown.get(name) ?? 0) === 0)
  assert.deepEqual(gone, [], 'these files have no dialog or menu')
})

function countDialogs(text: string): number {
  return (
    text.match(/<(Dialog|Confirm|Menu|MenuButton|ChooserPopup)$|<(Dialog|Confirm|Menu|MenuButton|ChooserPopup) /gm)
      ?.length ?? 0
  )
}
