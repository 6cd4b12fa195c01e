/** The labels of a batch; only what really changed is announced. */

import type { InstanceId } from '../../../schemas/ids.js'
import type { LabelFields } from '../../../schemas/stored-fields.js'
import { intArray, textArray } from '../arrays.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'

// $1 instances   $2 ids   $3 names   $4 colors
const UPSERT = `
  INSERT INTO label AS l (instance_id, labelid, name, color)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[])
  ON CONFLICT (instance_id, labelid) DO UPDATE SET name = EXCLUDED.name, color = EXCLUDED.color, updated = now()
  WHERE (l.name, l.color) IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.color)
  RETURNING instance_id, labelid`
// $1 instances   $2 ids
const DELETE = `
  DELETE FROM label AS l USING unnest($1::text[], $2::text[]) AS u(instance_id, labelid)
  WHERE l.instance_id = u.instance_id AND l.labelid = u.labelid
  RETURNING l.instance_id, l.labelid`
// $1 instances   $2 ids
const TAKE_OFF = `
  UPDATE chat AS c SET "wa_label" = list_with(c."wa_label", NULL, jsonb_build_array(u.labelid)::text), updated = now()
  FROM unnest($1::text[], $2::text[]) AS u(instance_id, labelid)
  WHERE c.instance_id = u.instance_id AND c."wa_label" LIKE '%"' || u.labelid || '"%' AND c."wa_label"::jsonb ? u.labelid`

export class LabelChanges {
  readonly #all = new Map<string, { instance: InstanceId; label: LabelFields }>()
  #changed: ReadonlySet<string> = new Set()

  add(instance: InstanceId, label: LabelFields): void {
    this.#all.set(joinKey(instance, label.labelid), { instance, label })
  }

  async apply(client: Statements): Promise<void> {
    const kept = [...this.#all.values()].filter(({ label }) => !label.isDeleted)
    const gone = [...this.#all.values()].filter(({ label }) => label.isDeleted)
    const sent: ReturnType<typeof client.query<{ instance_id: string; labelid: string }>>[] = []
    if (kept.length > 0)
      sent.push(
        client.query(UPSERT, [
          textArray(kept.map((one) => one.instance)),
          textArray(kept.map(({ label }) => label.labelid)),
          textArray(kept.map(({ label }) => label.name)),
          intArray(kept.map(({ label }) => label.color)),
        ]),
      )
    if (gone.length > 0) {
      const arrays = [textArray(gone.map((one) => one.instance)), textArray(gone.map(({ label }) => label.labelid))]
      sent.push(client.query(DELETE, arrays), client.query(TAKE_OFF, arrays))
    }
    const answers = await Promise.all(sent)
    this.#changed = new Set(answers.flatMap(({ rows }) => rows.map((row) => joinKey(row.instance_id, row.labelid))))
  }

  hasChanged(instance: InstanceId, label: LabelFields): boolean {
    const key = joinKey(instance, label.labelid)
    return this.#changed.has(key) && this.#all.get(key)?.label === label
  }
}
