/** What the callers of the insights run ask for. Each list is walked through again and again. */
export interface Case {
  readonly name: string
  readonly paths: readonly string[]
}

/**
 * @param cursors of pages of the list of scans, far apart.
 * @param slugs of listings.
 */
export function casesOf(cursors: readonly string[], slugs: readonly string[]): readonly Case[] {
  return [
    {
      name: 'scans list, first page',
      paths: ['/api/insights/scans', '/api/insights/scans?limit=100', '/api/insights/scans?status=complete'],
    },
    { name: 'scans list, by cursor', paths: cursors.map((cursor) => `/api/insights/scans?cursor=${cursor}`) },
    {
      name: 'scans list, part of a domain',
      paths: ['/api/insights/scans?domain=site-77', '/api/insights/scans?domain=9.ex'],
    },
    {
      name: 'directory, first page',
      paths: ['/api/directory', '/api/directory?limit=50', '/api/directory?industry=finance'],
    },
    {
      name: 'directory, far pages',
      paths: ['/api/directory?offset=10000', '/api/directory?offset=20000&limit=50'],
    },
    { name: 'directory, one listing', paths: slugs.map((slug) => `/api/directory/${slug}`) },
    {
      name: 'search, words that most scans have',
      paths: ['invoice', 'automate', 'example', 'page', 'workflow a the', 'automate -invoice'].map(searchFor),
    },
    {
      name: 'search, words of some scans',
      paths: [
        'robotics invoice',
        'robotics "business scores"',
        'dental appointment -reminder',
        'payroll clinic',
        'translation law',
      ].map(searchFor),
    },
    {
      name: 'search, one domain',
      paths: [
        'site-4711',
        'site-77',
        'site-99991.example invoice',
        'https://site-12.example/',
        'nothing-has-this',
      ].map(searchFor),
    },
    {
      name: 'search, one type, 50 results',
      paths: ['opportunities', 'workflows', 'domains'].map(
        (type) => `${searchFor('invoice')}&search_type=${type}&limit=50`,
      ),
    },
    {
      name: 'analytics',
      paths: ['7d', '30d', '90d', 'all'].map((range) => `/api/insights/analytics?time_range=${range}`),
    },
  ]
}

function searchFor(query: string): string {
  return `/api/insights/search?query=${encodeURIComponent(query)}`
}
