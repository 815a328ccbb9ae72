/** The cases of the Company Registry node, one file per resource. */
export { apiKeyCases } from './apiKey';
export { apiRequestCases } from './apiRequest';
export { companyCases } from './company';
export { creditRecommendationCases } from './creditRecommendation';
export { idnoCases } from './idno';
