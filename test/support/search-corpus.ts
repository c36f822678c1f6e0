/** Pages of a documentation, as Markdown by title, in the order of the table of contents. */
export const corpus: Record<string, string> = {
  Introduction:
    'Publish guides and API references for your product.\n\n## What you can do\n\nWrite pages, add a team, review change requests, connect a domain and publish a site.',
  'Quick start':
    'Create an organization, add a space and write the first page.\n\n## Before you start\n\nYou need an account.\n\n## Next steps\n\nInvite members, publish the site and set up a custom domain.',
  Editor:
    'Type `/` to insert a block.\n\n## Undo and redo\n\nPress Control+Z to undo the last edit.\n\n## Paste Markdown\n\nPasted Markdown becomes blocks, also code and tables.',
  Blocks:
    'Everything on a page is a block: paragraphs, headings, code, tables, images.\n\n## Insert a block\n\nType a slash.',
  'Code blocks':
    'Show source code with colors.\n\n## Set the language\n\nChoose one from the menu, or write it after the fence.\n\n## Line numbers\n\nSwitch them on for each block.',
  Tables:
    'A table has rows and columns.\n\n## Sort rows\n\nDrag a row to another place.\n\n## Column width\n\nDrag the border of a column.',
  'Images and videos':
    'Drag a file onto the page.\n\n## Alternative text\n\nDescribe the picture for readers who cannot see it.\n\n## Dark mode\n\nAdd a second picture for dark mode.',
  'Math and formulas': 'Write formulas in TeX between two dollar signs.\n\n## Inline formulas\n\nUse one dollar sign.',
  'Reusable content':
    'Write a text once and use it on many pages.\n\n## Variables\n\nSet a variable such as `productName` in a space.',
  'Page options':
    'Each page has options for its layout.\n\n## Hide a page\n\nHidden pages are not in the table of contents.\n\n## Page cover\n\nAdd a picture above the title.',
  'Change requests':
    'A change request is a draft of the whole content.\n\n## Open a change request\n\nChoose Edit.\n\n## Merge\n\nMerging publishes the changes.\n\n## Request a review\n\nName the reviewers.',
  'Merge conflicts':
    'If two change requests edit the same paragraph, they conflict.\n\n## Resolve a conflict\n\nKeep yours, theirs or both.',
  'Version history': 'Every merge is a version.\n\n## Roll back\n\nRestore an earlier version of a space.',
  Comments: 'Comment on a page or on a block.\n\n## Resolve a comment\n\nResolved comments are hidden.',
  'Git Sync':
    'Keep a space and a repository on GitHub or GitLab in sync.\n\n## Enable Git Sync\n\nConnect the repository and choose a branch.\n\n## Monorepos\n\nSet the root directory in the configuration file.',
  'Sync configuration':
    'The file `.docs.yaml` sets the root, the structure and redirects.\n\n## Redirects\n\nSend readers of an old path to another page.\n\n## Structure\n\nName the file with the table of contents.',
  Fork: 'A fork is your own copy of a space.',
  'Fork a space for a customer':
    'Make a fork for each customer, and merge changes of the original into the fork from time to time.\n\n## Update the fork\n\nFetch the changes.',
  'Custom domain':
    'Publish a site under your own host name.\n\n## Add the DNS record\n\nCreate a CNAME record at your provider.\n\n## Certificates\n\nA TLS certificate is issued within minutes.',
  Subdirectory:
    'Publish a site below a path of your own website, with a proxy.\n\n## Cloudflare\n\nUse a worker that forwards requests.',
  'Site sections': 'Sections are tabs at the top of a site.\n\n## Add a section\n\nChoose a space. It becomes a tab.',
  'Share links': 'A share link opens a private site without an account.\n\n## Revoke a link\n\nDelete it.',
  'Visitor authentication':
    'Only people who sign in with your identity provider can read the site.\n\n## Auth0\n\nCreate an application.\n\n## Okta\n\nAdd an app integration.',
  'Adaptive content':
    'Show a part of a page to some visitors only.\n\n## Claims\n\nConditions read claims of the visitor.',
  'Search and assistant':
    'Readers press Control+K.\n\n## Exclude a page from search\n\nSet `noIndex` in its front matter.',
  Analytics: 'See which pages are read and which searches find nothing.\n\n## Export as CSV\n\nDownload the table.',
  Feedback: 'Readers rate pages at their end.\n\n## Turn on page ratings\n\nOpen the settings of the site.',
  'Theme and colors': 'Set the primary color, the font and the logo.\n\n## Corner style\n\nStraight or rounded.',
  'Members and roles':
    'Members have a role: reader, commenter, editor, creator or admin.\n\n## Invite a member\n\nEnter the email address.\n\n## Remove a member\n\nOpen the menu of the member.',
  Teams: 'A team is a group of members with the same permissions.\n\n## Create a team\n\nName it and add members.',
  'SAML single sign-on':
    'Members sign in through your identity provider with SAML.\n\n## Set up with Entra ID\n\nCopy the metadata address.\n\n## Enforce SSO\n\nOther ways to sign in are turned off.',
  'Billing and plans':
    'Change the plan, the payment method or the invoice address.\n\n## Cancel a subscription\n\nIt ends with the current month.',
  'API tokens':
    'Programs authenticate with a token.\n\n## Create a token\n\nOpen the developer settings.\n\n## Rotate a token\n\nCreate a new one, then revoke the old one.',
  'Rate limits':
    'The API answers with 429 if you send too many requests.\n\n## Retry\n\nSet `maxRetryCount` and wait as `Retry-After` says.',
  Webhooks: 'Get an HTTP request when content changes.\n\n## Verify the signature\n\nCompute an HMAC.',
  'List pull requests': 'Returns the pull requests of the connected repository.\n\n## Parameters\n\n`state`, `limit`.',
  'Create a pull request':
    'Opens a pull request in the connected repository.\n\n## Parameters\n\n`title`, `branch`. Lists of reviewers are optional. To list all pull requests, see another page.',
  'API client for TypeScript':
    'Install the package from npm.\n\n## Timeouts\n\n`requestTimeoutMs` sets the time for one request.',
  'Release 1.10.2': 'Released in May.\n\n## Fixes\n\nv1.10.2 corrects the export of tables.',
  'Release 1.9.0': 'Released in March.\n\n## New\n\nWebhooks, teams, custom fonts.',
  'Import from Confluence': 'Import a space from Confluence.\n\n## Upload a ZIP file\n\nExport the space as HTML.',
  'Import from Notion': 'Import pages from Notion.\n\n## Upload a ZIP file\n\nExport as Markdown and CSV.',
  'Export as PDF': 'Download a page or a whole space as PDF.\n\n## Paper size\n\nA4 or letter.',
  Troubleshooting:
    'What to do if something fails.\n\n## The domain is not verified\n\nWait up to a day for DNS.\n\n## Git Sync does not start\n\nCheck the branch.',
  Straßenverzeichnis: 'Alle Straßen der Stadt, mit Hausnummern und Postleitzahlen.',
  'Wärmepumpe einbauen':
    'Die Wärmepumpe wird im Keller aufgestellt.\n\n## Ventil anschließen\n\nSchließen Sie das Ventil an.',
  ポンプの取り付け: '入口弁を開けてから、ポンプを始動します。\n\n## 最初の運転\n\n水を入れてください。',
  圧力の設定: '圧力計を見ながら、弁を調整します。\n\n## 単位\n\nバールとパスカル。',
  安装指南: '先打开进水阀，然后启动水泵。\n\n## 检查压力\n\n压力表应显示两巴。',
};

/** Queries with the titles that one of the first three results should have. */
export const queries: [query: string, ...titles: string[]][] = [
  // Questions
  ['how do I add a custom domain', 'Custom domain'],
  ['how can I undo an edit', 'Editor'],
  ['what is a change request', 'Change requests'],
  ['where do I invite a new member', 'Members and roles'],
  ['how to hide a page from the table of contents', 'Page options'],
  ['can I restore an earlier version?', 'Version history'],
  ['how do I resolve a merge conflict', 'Merge conflicts'],
  ['how do I cancel my subscription', 'Billing and plans'],
  ['why is my domain not verified', 'Troubleshooting'],
  ['how to redirect an old path', 'Sync configuration'],
  ['import pages from notion', 'Import from Notion'],
  ['wie baue ich die wärmepumpe ein', 'Wärmepumpe einbauen'],
  // Misspelled words
  ['code blok', 'Code blocks'],
  ['undoo', 'Editor'],
  ['custm domian', 'Custom domain'],
  ['webhoks', 'Webhooks'],
  ['confluense', 'Import from Confluence'],
  ['authentification', 'Visitor authentication'],
  ['anlytics', 'Analytics'],
  ['singel sign on', 'SAML single sign-on'],
  ['formluas', 'Math and formulas'],
  // Compound words and names
  ['codeblock', 'Code blocks'],
  ['changerequest', 'Change requests'],
  ['web hook', 'Webhooks'],
  ['retry count', 'Rate limits'],
  ['maxRetryCount', 'Rate limits'],
  ['request timeout', 'API client for TypeScript'],
  ['v1.10.2', 'Release 1.10.2'],
  ['1.10', 'Release 1.10.2'],
  ['subdirectories', 'Subdirectory'],
  ['strassen', 'Straßenverzeichnis'],
  ['warmepumpe', 'Wärmepumpe einbauen'],
  // Scripts without spaces
  ['ポンプの始動方法', 'ポンプの取り付け'],
  ['圧力計', '圧力の設定'],
  ['启动水泵', '安装指南'],
  ['如何检查压力', '安装指南'],
  // Titles
  ['fork', 'Fork'],
  ['list pull requests', 'List pull requests'],
  ['teams', 'Teams'],
  ['git sync', 'Git Sync'],
];
