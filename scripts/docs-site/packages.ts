/** Packages of the site. They are loaded when it is built, so that the gateway builds and its tests run without them. */

/** The part of Eleventy's settings that is used here; the package has no types. */
export interface EleventySettings {
  addTemplate(name: string, content: string, data: object): void
  amendLibrary(name: 'md', change: (markdown: Markdown) => void): void
  setUseGitIgnore(use: boolean): void
  setQuietMode(quiet: boolean): void
  setIncludesDirectory(folder: string): void
  setTemplateFormats(formats: readonly string[]): void
}

export type Eleventy = new (
  input: string,
  output: string,
  options: {
    readonly configPath: null
    readonly quietMode: boolean
    readonly config: (settings: EleventySettings) => void
  },
) => { init(): Promise<void>; disableLogger(): void; write(): Promise<unknown> }

export interface Token {
  readonly type: string
  tag: string
  readonly content: string
  attrs: [name: string, value: string][] | null
  readonly children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/** The part of markdown-it that is used here. `env` has the data of the page. */
export interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: { page?: { url?: string } } }) => void): void
    }
  }
}

interface SearchOptions {
  readonly fields: readonly string[]
  readonly storeFields: readonly string[]
  readonly processTerm: (term: string) => string
}

interface Search {
  addAll(entries: readonly object[]): void
  search(words: string, options: object): readonly Readonly<Record<string, unknown>>[]
}

export interface MiniSearch {
  new (options: SearchOptions): Search
  loadJSON(json: string, options: SearchOptions): Search
}

export async function loadEleventy(): Promise<Eleventy> {
  return await importDefault<Eleventy>('@11ty/eleventy')
}

export async function loadMiniSearch(): Promise<MiniSearch> {
  return await importDefault<MiniSearch>('minisearch')
}

async function importDefault<T>(name: string): Promise<T> {
  return ((await import(name)) as { readonly default: T }).default
}
