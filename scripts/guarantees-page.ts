/** The page of guarantees, made from the list of what keeps them. */
import { guarantees, type Mechanism, mechanisms, type Switch } from '../test/mechanisms/list.js'

/** The text of `docs/reference/guarantees.md`. */
export function guaranteesPage(): string {
  const sections = (Object.keys(guarantees) as Mechanism['guarantee'][]).flatMap((guarantee) => [
    `## ${guarantees[guarantee]}`,
    '',
    '| what keeps it | where | fails without it |',
    '|---|---|---|',
    ...mechanisms
      .filter((mechanism) => mechanism.guarantee === guarantee)
      .map(({ what, switches, tests }) => `| ${what} | ${list(switches.map(findSource))} | ${list(tests)} |`),
    '',
  ])
  return [
    '# What keeps the guarantees',
    '',
    'Made by `npm run generate` from `test/mechanisms/list.ts`; change that. `npm run test:mechanisms` switches each of these off in a',
    'copy of the gateway, one at a time, and sees the named test fail.',
    '',
    ...sections,
    'In addition, whole processes are broken: the kill loop (`npm run test:long -- kill-loop`), stores killed, cut off and full',
    '(`test/durability/`), and half an hour of all of it (`npm run test:long -- soak`). Their counts are taken on the phones, at the',
    'receiver and in the log of the simulated network.',
    '',
  ].join('\n')
}

function findSource({ file }: Switch): string {
  return file.replace(/js$/, 'ts')
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
