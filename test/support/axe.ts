/** Looks for what people who use other senses or tools cannot use, by axe-core in the page itself. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { packageRoot } from '../../lib/package-root.js'

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

const axe = readFileSync(path.join(packageRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/**
 * Returns what axe finds in light and dark.
 *
 * @param part Selector of the part to look at; left out: the whole page
 */
export async function findingsInBothThemes(page: Page, name: string, part?: string): Promise<string[]> {
  await page.evaluate(`if (!('axe' in window)) {${axe}}`)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = (await listFindings(page, part, {})).map((finding) => `${name}, light: ${finding}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  // A theme changes colours alone.
  const dark = await listFindings(page, part, { runOnly: ['color-contrast', 'link-in-text-block'] })
  return [...light, ...dark.map((finding) => `${name}, dark: ${finding}`)]
}

async function listFindings(
  page: Page,
  part: string | undefined,
  options: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const given = JSON.stringify({ resultTypes: ['violations'], ...options })
  const findings = await page.evaluate<
    Finding[]
  >(`axe.run(${part === undefined ? 'document' : JSON.stringify(part)}, ${given})
    .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes })))`)
  return findings.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ target }) => target.join(' '))
        .join('; ')
        .slice(0, 500)})`,
  )
}
