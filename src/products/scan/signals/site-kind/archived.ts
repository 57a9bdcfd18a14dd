import type { Site } from '../../site/site.ts'

/** Whether most pages say that the site is an archive, and nothing will be added to it. */
export function isArchived({ pages }: Pick<Site, 'pages'>): boolean {
  const saying = pages.filter(({ text }) => {
    const start = text.slice(0, 100_000)
    return mayBe.test(start) && archived.test(start)
  }).length
  return saying >= 2 && saying * 2 >= pages.length
}

/** Most pages have none of these words, and the whole expression takes long. */
const mayBe = /archive|updated|maintained|aktualisiert|gepflegt|mis à jour|se actualiza|aggiornato/i

const archived =
  /(?<!\p{L})(?:(?:this|the) (?:site|website|page|blog) (?:is|has been) (?:now |kept as )?(?:an archive|archived)|(?:will not|won['’]t|will no longer) be updated|(?:is )?kept as an archive|(?:is )?no longer (?:maintained|updated)|wird nicht mehr (?:aktualisiert|gepflegt)|n['’]est plus mis à jour|ya no se actualiza|non (?:è|viene) più aggiornato)(?!\p{L})/iu
