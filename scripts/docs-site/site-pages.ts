/** Gathers the pages of the site: the Markdown files of the repository, and those made from the OpenAPI document. */
import { apiPages } from './api-pages.js'
import { apiGroup, chooseGroup, type SitePage } from './navigation.js'
import { readPage, sourcePages } from './source-pages.js'

/** Addresses that do not follow from the file's path below `docs/`. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'README.es.md': 'es.html',
  'README.pt-BR.md': 'pt-br.html',
  'docs/README.md': 'pages.html',
  'CONTRIBUTING.md': 'contributing.html',
  'CHANGELOG.md': 'changelog.html',
  'clients/typescript/README.md': 'client.html',
  'examples/README.md': 'examples.html',
  'k8s/README.md': 'kubernetes.html',
  'sandbox/README.md': 'sandbox.html',
  'test/README.md': 'tests.html',
}
/** Titles in the list, where the first heading is not enough. */
const TITLES: Readonly<Record<string, string>> = {
  'README.md': 'Posthorn',
  'README.es.md': 'Posthorn (español)',
  'README.pt-BR.md': 'Posthorn (português)',
  'docs/README.md': 'All pages',
  'docs/guides/evolution-em-cinco-minutos.md': 'Evolution API em cinco minutos (português)',
  'docs/guides/evolution-en-cinco-minutos.md': 'Evolution API en cinco minutos (español)',
  'docs/guides/primeiros-passos.md': 'Primeiros passos (português)',
  'docs/guides/primeros-pasos.md': 'Primeros pasos (español)',
  'docs/ARCHITECTURE.md': 'Architecture',
  'docs/guides/moving-in.md': 'Moving in with a session',
  'clients/typescript/README.md': 'Client library',
  'k8s/README.md': 'Kubernetes',
  'sandbox/README.md': 'Simulated network',
  'test/README.md': 'Tests',
}
const LANGUAGES: Readonly<Record<string, string>> = {
  'README.es.md': 'es',
  'README.pt-BR.md': 'pt-BR',
  'docs/guides/evolution-em-cinco-minutos.md': 'pt-BR',
  'docs/guides/evolution-en-cinco-minutos.md': 'es',
  'docs/guides/primeiros-passos.md': 'pt-BR',
  'docs/guides/primeros-pasos.md': 'es',
}

export function sitePages(): readonly SitePage[] {
  const read = sourcePages().map((file): SitePage => {
    const markdown = readPage(file)
    return {
      address: addressOfFile(file),
      title: TITLES[file] ?? readTitle(markdown, file),
      group: chooseGroup(file),
      language: LANGUAGES[file] ?? 'en',
      markdown,
      file,
    }
  })
  const made = apiPages().map((page): SitePage => ({ ...page, group: apiGroup, language: 'en', file: undefined }))
  return [...read, ...made]
}

function addressOfFile(file: string): string {
  return (
    ADDRESSES[file] ??
    file
      .replace(/^docs\//, '')
      .replace(/\.md$/, '.html')
      .toLowerCase()
  )
}

function readTitle(markdown: string, file: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replace(/[`*]/g, '') ?? file
}
