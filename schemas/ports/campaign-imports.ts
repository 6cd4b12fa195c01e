/** Recipients of a campaign that is being imported. Types only. */
import type { InstanceId, Jid } from '../ids.js'
import type { FieldsMap } from '../lead-fields.js'
import type { PlaceholderValues } from '../placeholders.js'
import type { CreatedCampaign, NewCampaign } from './campaigns.js'

/** A person of a list, with the line from 1. */
export interface ImportedRecipient {
  readonly line: number
  /** JID to which the message goes. */
  readonly address: Jid
  /** Address under which lists of people know them. */
  readonly person: Jid
  /** Empty when the list has none. */
  readonly timezone: string
  /** JSON of their values of placeholders; null when there are none. */
  readonly vars: string | null
}

export interface ImportRules {
  /** Leaves out every further entry of a person. */
  readonly dedupe: boolean
  /** Leaves out people who got another campaign within so many days; null: nobody. */
  readonly recentDays: number | null
}

export interface ImportCounts {
  readonly count: number
  readonly duplicates: number
  readonly optedOut: number
  readonly recent: number
}

/** What an import does with a line, by the lists of people of its instance. */
export interface SortedRecipient {
  /** Name under which the import knows the person, however their number is written. */
  readonly person: string
  readonly fate: 'kept' | 'optedOut' | 'recent'
}

/** An import that has not ended. */
export interface CampaignImport extends ImportCounts {
  readonly folderId: string
  /** Lines up to this one are stored. */
  readonly lastLine: number
}

/** Name and key of a campaign that is not created yet. */
export type ImportKey = Pick<NewCampaign, 'id' | 'folder' | 'idempotencyKey' | 'requestHash'>
export type ImportHead = Omit<NewCampaign, 'recipients' | 'dedupe'>

export interface CampaignImports {
  /**
   * Begins an import, or goes on with the one that has the same idempotency key. Returns the campaign if that key has made it already.
   * @throws GatewayError CAMPAIGN_EXISTS, CAMPAIGNS_FULL, IDEMPOTENCY_CONFLICT, INSTANCE_NOT_FOUND, INSTANCE_EXPORTED
   */
  begin(
    instance: InstanceId,
    key: ImportKey,
  ): Promise<{ readonly running: CampaignImport } | { readonly former: CreatedCampaign }>
  /** Checks that an import of that name may begin. @throws GatewayError as `begin` */
  check(instance: InstanceId, key: Pick<ImportKey, 'folder'>): Promise<void>
  /** Returns what an import would do with these people, in their order. Whether somebody stands twice in the list is not looked at. */
  sort(
    instance: InstanceId,
    people: readonly ImportedRecipient[],
    rules: ImportRules,
  ): Promise<readonly SortedRecipient[]>
  /** Stores a slice, up to that line. @throws GatewayError IMPORT_RUNNING if another call stores the same list, CAMPAIGNS_FULL */
  add(
    instance: InstanceId,
    running: CampaignImport,
    slice: { readonly people: readonly ImportedRecipient[]; readonly lastLine: number },
    rules: ImportRules,
  ): Promise<CampaignImport>
  /** Creates the campaign of an import. @throws GatewayError as `begin`, and IMPORT_RUNNING */
  finish(instance: InstanceId, running: CampaignImport, head: ImportHead): Promise<CreatedCampaign>
  /** Deletes an import with what it has stored, unless its campaign was created. */
  discard(instance: InstanceId, folderId: string): Promise<void>
}

/** A list of recipients, and how it is read. */
export interface RecipientList {
  /** Opens the list from its beginning. It is read twice. */
  readonly open: () => AsyncIterable<Uint8Array>
  readonly format: 'csv' | 'ndjson'
  /** ISO code of the country whose national numbers are taken; none if it is missing. */
  readonly country?: string
  readonly rules: ImportRules
}

/** A recipient of a list, with all that fills the placeholders of their message. */
export interface SampleRecipient {
  readonly number: string
  readonly values: PlaceholderValues
}

/** A placeholder that some recipients lack. */
export interface PlaceholderProblem {
  readonly name: string
  /** `unknown`: it is no placeholder and would be sent as it is. `empty`: it has no value. */
  readonly problem: 'unknown' | 'empty'
  /** Number of recipients. */
  readonly recipients: number
}

/** The placeholders of the texts of a campaign. */
export interface CampaignPlaceholders {
  readonly names: readonly string[]
  /** Names that the instance gave to custom lead fields. */
  readonly fieldsMap: FieldsMap
}

export interface ImportPreview extends ImportCounts {
  readonly problems: readonly PlaceholderProblem[]
  /** Addresses of the first recipients. */
  readonly first: readonly Jid[]
  /** The first recipients. */
  readonly samples: readonly SampleRecipient[]
}

export interface ColumnSurvey {
  /** Number of lines with a value. */
  readonly filled: number
  /** Number of lines whose value has a first name; 0 for columns that are not of names. */
  readonly firstNames: number
}

/** The lines of a list. */
export interface ListSurvey {
  /** Number of lines that are not empty, without the header. */
  readonly lines: number
  readonly invalid: number
  /** The first lines that are no recipients. */
  readonly errors: readonly { readonly line: number; readonly why: string }[]
  /** The values of each column; null if there are too many columns. */
  readonly columns: ReadonlyMap<string, ColumnSurvey> | null
}

export interface RecipientImports extends Pick<CampaignImports, 'begin' | 'check' | 'discard'> {
  /** Reads a list without storing anything. @throws GatewayError INVALID_REQUEST if it cannot be read */
  survey(instance: InstanceId, list: RecipientList): Promise<ListSurvey>
  /** Counts what an import of a list would leave out, and which placeholders its recipients lack. Stores nothing. */
  preview(instance: InstanceId, list: RecipientList, placeholders: CampaignPlaceholders): Promise<ImportPreview>
  /** Counts the recipients that lack placeholders. Their names are given with each of them. */
  lacking(
    instance: InstanceId,
    recipients: readonly { readonly address: Jid; readonly names: readonly string[] }[],
    fieldsMap: FieldsMap,
  ): Promise<readonly PlaceholderProblem[]>
  /**
   * Stores a list from where its import stands, and creates its campaign. Of the values of a line, only those of placeholders are stored.
   * @throws GatewayError as `CampaignImports`
   */
  store(
    instance: InstanceId,
    running: CampaignImport,
    list: RecipientList,
    head: ImportHead,
    placeholders: CampaignPlaceholders,
  ): Promise<ImportCounts & { readonly folderId: string }>
}
