//! Answers requests about hints, signatures and links.

use super::convert::{Lines, number};
use super::protocol::*;
use super::state::Server;

/// Returns the hints of a range.
pub fn inlays(server: &Server, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let (space, path, _) = server.document(&params.text_document.uri)?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    let (start, end) = lines.bytes(params.range);
    let hint = |hint: crate::query::InlayText| InlayHint {
        position: lines.position(hint.at),
        label: hint.text,
        kind: InlayHintKind::Type,
    };
    Some(space.inlays(path, start, end).into_iter().map(hint).collect())
}

/// Returns the signature of the call at a position.
pub fn signature(server: &Server, at: &TextDocumentPositionParams) -> Option<SignatureHelp> {
    let (space, path, _) = server.document(&at.text_document.uri)?;
    let text = space.text(path)?;
    let found = space.signature(path, Lines::of(&text).byte(at.position))?;
    let parameters = found.params.into_iter().map(|label| ParameterInformation { label }).collect();
    Some(SignatureHelp {
        signatures: vec![SignatureInformation { label: found.label, documentation: found.about, parameters }],
        active_signature: 0,
        active_parameter: number(found.active),
    })
}

/// Returns the links of a document. A link to a clause leads to the line of its register.
pub fn links(server: &Server, uri: &str) -> Option<Vec<DocumentLink>> {
    let (space, path, root) = server.document(uri)?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    let link = |link: crate::query::FileLink| {
        let mut target = server.uri(root, &link.to.file)?;
        if link.to.end > 0 {
            let line = Lines::of(&space.text(&link.to.file)?).position(link.to.start).line + 1;
            target = format!("{target}#L{line}");
        }
        Some(DocumentLink { range: lines.range(link.at.0, link.at.1), target })
    };
    Some(space.links(path).into_iter().filter_map(link).collect())
}
