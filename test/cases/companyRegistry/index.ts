/** The cases of each resource, from the company-registry spec; one line per file. */
export { apiKeyCases } from './apiKey';
export { apiRequestCases } from './apiRequest';
export { companyCases } from './company';
export { creditRecommendationCases } from './creditRecommendation';
export { idnoCases } from './idno';
