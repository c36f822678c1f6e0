/** Everything that is not part of the content is below this path, in documents whose addresses begin at the root. */
export const ownPath = '/~docsctl/';
