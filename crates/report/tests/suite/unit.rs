//! Tests of single functions.

mod report;
mod report_bounds;
mod report_compared_exact;
mod report_explain;
mod report_finding;
mod report_map_labels;
mod report_markup;
mod report_page_number;
mod report_parting;
mod report_sampled;
mod report_svg;
mod report_table;
