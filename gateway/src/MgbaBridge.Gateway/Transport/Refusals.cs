using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Transport;

/// <summary>Turns the script's refusals into failures.</summary>
internal static class Refusals
{
    /// <summary>Reads <c>code "detail" {name=value}</c>.</summary>
    public static FailureReport Read(ReadOnlySpan<byte> body)
    {
        var values = new ValueReader(body);
        var code = values.Read() ? values.GetText() : "unknown";
        var detail = values.Read() ? values.GetText() : "no reason given";
        return new FailureReport(RefusalCodes.FailureOf(code), detail) { Code = code, Values = body.ToArray() };
    }

    /// <summary>What a refusal means for this exchange: after an earlier attempt some of them mean that nobody knows.</summary>
    public static FailureReport For(Exchange exchange, FailureReport refusal) =>
        exchange.WasResent && refusal.Code is "epoch-changed" or "expired"
            ? FailureText.Indeterminate($"The connection broke before the reply came, and the script answered the second attempt: {refusal.Detail}.")
            : refusal;
}
