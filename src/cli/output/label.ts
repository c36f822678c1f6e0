/** Words that people do not write as the other words of a name. */
const spelled: Record<string, string> = {
  id: 'ID',
  url: 'URL',
  urls: 'URLs',
  api: 'API',
  openapi: 'OpenAPI',
  sso: 'SSO',
  saml: 'SAML',
  ai: 'AI',
  pdf: 'PDF',
  html: 'HTML',
};

/** What people call a member: `editMode` is "Edit mode", `user.displayName` "User display name", `ssoURL` "SSO URL". */
export function labelOf(path: string): string {
  const words = path
    .replace(/openAPI/gi, 'openapi')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .map((word) => spelled[word.toLowerCase()] ?? word.toLowerCase());
  const text = words.join(' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
