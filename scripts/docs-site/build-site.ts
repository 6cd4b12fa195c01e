/** Builds the documentation as static pages with Eleventy ([0030](docs/decisions/0030-docs-site.md)). */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot, packageVersion } from '../../lib/package-root.js'
import { useSiteMarkdown } from './markdown.js'
import { escapeHtml, navigation, relative, type SitePage } from './navigation.js'
import { type EleventySettings, loadEleventy } from './packages.js'
import { searchScript } from './search-index.js'
import { sitePages } from './site-pages.js'

const THEME = path.join(packageRoot, 'scripts/docs-site/theme')
const LAYOUT = 'page.liquid'
const PICTURES = 'docs/pictures'

/** Writes the site into a folder, which is emptied first. Returns its pages. */
export async function buildSite(output: string): Promise<readonly SitePage[]> {
  const pages = sitePages()
  rmSync(output, { recursive: true, force: true })
  const Eleventy = await loadEleventy()
  const former = process.cwd()
  // Eleventy finds its folders from the working directory.
  process.chdir(packageRoot)
  try {
    const generator = new Eleventy('scripts/docs-site', output, {
      configPath: null,
      quietMode: true,
      config: (settings) => configure(settings, pages),
    })
    generator.disableLogger()
    await generator.init()
    await generator.write()
  } finally {
    process.chdir(former)
  }
  await writeAssets(output, pages)
  return pages
}

function configure(settings: EleventySettings, pages: readonly SitePage[]): void {
  settings.setUseGitIgnore(false)
  settings.setQuietMode(true)
  settings.setIncludesDirectory('theme')
  settings.setTemplateFormats(['md'])
  settings.amendLibrary('md', (markdown) => useSiteMarkdown(markdown, pages))
  for (const page of pages)
    settings.addTemplate(`pages/${page.address.replace(/\.html$/, '.md')}`, page.markdown, {
      layout: LAYOUT,
      permalink: page.address,
      title: escapeHtml(page.title),
      language: page.language,
      root: relative(page.address, '.') === '' ? '' : `${relative(page.address, '.')}/`,
      // Our texts have `{{name}}` and the like, which are no templates.
      templateEngineOverride: 'md',
      navigation: navigation(pages, page),
      version: packageVersion,
    })
}

async function writeAssets(output: string, pages: readonly SitePage[]): Promise<void> {
  const folder = path.join(output, 'assets')
  mkdirSync(folder, { recursive: true })
  for (const name of ['site.css', 'site.js', 'icon.svg'])
    writeFileSync(path.join(folder, name), readFileSync(path.join(THEME, name)))
  const library = path.join(packageRoot, 'node_modules/minisearch')
  writeFileSync(path.join(folder, 'minisearch.js'), readFileSync(path.join(library, 'dist/umd/index.js')))
  writeFileSync(path.join(folder, 'minisearch-licence.txt'), readFileSync(path.join(library, 'LICENSE.txt')))
  writeFileSync(path.join(folder, 'search-index.js'), await searchScript(pages))
  cpSync(path.join(packageRoot, PICTURES), path.join(output, PICTURES), { recursive: true })
}
