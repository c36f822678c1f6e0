import { searchOrganization } from './orgs.ts';

export default searchOrganization;
