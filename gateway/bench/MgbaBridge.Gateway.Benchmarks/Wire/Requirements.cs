namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The performance requirements of the script on its own port; docs/performance/results.md quotes this list.</summary>
internal sealed class Requirements(Rows rows)
{
    private const double FrameMilliseconds = 1000 / 59.7275;
    private const double MaxLatency = 1.5 * FrameMilliseconds;
    private const double MinBotRatio = 60, MaxBotP99 = 5, MinSerialRate = 15_000, MinFleetRate = 30_000, MinSlowest = 0.5;
    private const double MaxBulk = 2, MaxLossInWindow = 0.01, MaxLossInMinute = 0.002, AlmostMinute = 55;
    private const double NoiseKb = 64; // Lua memory that differs between two readings without growth
    private const double BytesPerConnection = 1; // below the smallest Lua object, so that a leak per connection is detected

    public IEnumerable<Requirement> All()
    {
        yield return BotMedian();
        yield return Check("bot", "one client, random pauses 0-30 ms, p99", "under 5 ms", P99, row => row.Latency.P99 < MaxBotP99);
        yield return Check("serial", "one client back to back, replies a second", "15,000", Rate, row => row.Rate >= MinSerialRate);
        yield return Check(
            "serial", "one client back to back, longest latency", "under 1.5 frames (25.1 ms)", row => Ms(row.Latency.Max), row => row.Latency.Max < MaxLatency);
        foreach (var name in (string[])["20 clients", "100 clients"])
        {
            yield return Check(name, name + " back to back, replies a second", "30,000", Rate, row => row.Rate >= MinFleetRate);
            yield return Check(
                name, name + ", slowest against the mean", "0.5", row => Format.Number(Extra(row, "slowestToMean"), "0.00"), row => Extra(row, "slowestToMean") >= MinSlowest);
        }
        yield return Check("churn", "connect, request, close with 4 persistent clients", "0 resets, 0 refused, alive", Churned, IsChurnClean);
        yield return Check("churn", "descriptors and Lua memory afterwards", "no growth", Memory, IsFlat);
        yield return Check("512 clients", "512 persistent clients, one request a second each", "all answered", Answered, IsAllAnswered);
        yield return Check("cap", "50 connections beyond the cap of 600", "each receives an error, none a reset", Rejected, AreRejectedCleanly);
        yield return Check("range", "256 KB range, p99", "under 2 ms, no late frame", Bulk, IsQuick);
        yield return Check("state", "397 KB state, p99", "under 2 ms, no late frame", Bulk, IsQuick);
        foreach (var row in rows.All.Where(row => row.Label == Rows.Ours && row.Row != Rows.IdleRow && row.Pace.Seconds >= 4))
        {
            yield return Pace(row);
        }
    }

    private static string Ms(double value) => Format.Number(value, value < 1 ? "0.000" : "0.00") + " ms";
    private static string P99(RowResult row) => Ms(row.Latency.P99);
    private static string Rate(RowResult row) => Format.Number(row.Rate);
    private static double? Extra(RowResult row, string name) => row.Extra.TryGetValue(name, out var value) ? value : null;

    private static string Fps(RowResult? row) => row is { Pace.Seconds: > 0 } ? Format.Number(row.Pace.Fps, "0.00") : "-";

    private static string Churned(RowResult row) =>
        $"{Format.Number(Extra(row, "connections"))} at {Format.Number(Extra(row, "connections") / row.Seconds)}/s: {row.Tally.Resets} resets, {row.Tally.Refused} refused, "
        + $"{row.Tally.TimedOut} without answer, {row.Tally.Closed} closed early{(row.HostAlive ? "" : ", emulator dead")}";

    private static bool IsChurnClean(RowResult row) => row is { HostAlive: true, Tally.Bad: 0 };

    private static string Memory(RowResult row) =>
        row.HostAlive ? $"{row.Before.Descriptors} → {row.After.Descriptors} descriptors, {Format.Number(row.LuaKbBefore)} → {Format.Number(row.LuaKbAfter)} KB" : "emulator dead";

    private static bool IsFlat(RowResult row) => row.HostAlive && row.After.Descriptors <= row.Before.Descriptors && row.LuaKbAfter <= row.LuaKbBefore + NoiseKb + (BytesPerConnection * row.Tally.Answered / 1024.0);

    private static string Answered(RowResult row) =>
        $"{Format.Number(Extra(row, "connected"))} connected, {Format.Number(row.Tally.Answered)} answered, {row.Tally.Bad} not; p50 {Ms(row.Latency.P50)}, p99 {Ms(row.Latency.P99)}";

    private static bool IsAllAnswered(RowResult row) => row.Tally.Bad == 0 && Extra(row, "alive") == row.Clients && row.Tally.Answered >= row.Clients * (row.Seconds - 1);

    private static string Rejected(RowResult row) =>
        $"{Format.Number(Extra(row, "excessNotified"))} of {Format.Number(Extra(row, "excess"))} received the error, {Format.Number(Extra(row, "excessResets"))} resets; "
        + $"accepted: {Format.Number(Extra(row, "acceptedAfter"))} of {row.Clients} still answered; {Format.Number(Extra(row, "reopened"))} of {Format.Number(Extra(row, "reopenedOf"))} new ones after some were closed";

    private static bool AreRejectedCleanly(RowResult row) =>
        Extra(row, "excessNotified") == Extra(row, "excess") && Extra(row, "acceptedAfter") >= row.Clients && Extra(row, "reopened") >= Extra(row, "reopenedOf") && row.Tally.Bad == 0;

    private static string Bulk(RowResult row) => $"{Ms(row.Latency.P99)} (p50 {Ms(row.Latency.P50)}, max {Ms(row.Latency.Max)}), {row.Pace.Late} late";

    private static bool IsQuick(RowResult row) => row.Latency.P99 < MaxBulk && row.Pace.Late == 0 && row.Tally.Bad == 0;

    private Requirement BotMedian()
    {
        var (ours, baseline) = (rows.Of(Rows.Ours, "bot"), rows.Of(Rows.BaselineName, "bot"));
        double? ratio = ours is { Latency.P50: > 0 } && baseline is not null ? baseline.Latency.P50 / ours.Latency.P50 : null;
        return new Requirement(
            "one client, random pauses 0-30 ms, p50", "60x lower than baseline", baseline is null ? "-" : Ms(baseline.Latency.P50), ours is null ? "-" : Ms(ours.Latency.P50),
            ratio is null ? "-" : Format.Number(ratio, "0.0") + "x", ratio is null ? null : ratio >= MinBotRatio, Fps(ours));
    }

    private Requirement Check(string name, string what, string atLeast, Func<RowResult, string> shown, Func<RowResult, bool> isMet)
    {
        var (ours, baseline) = (rows.Of(Rows.Ours, name), rows.Of(Rows.BaselineName, name));
        return new Requirement(
            what, atLeast, baseline is null ? "-" : shown(baseline), ours is null ? "-" : shown(ours), Ratio(shown, ours, baseline), ours is null ? null : isMet(ours), Fps(ours));
    }

    /// <summary>The improvement factor, where a single number decides.</summary>
    private static string Ratio(Func<RowResult, string> shown, RowResult? ours, RowResult? baseline)
    {
        if (ours is null || baseline is null)
        {
            return "-";
        }
        var ratio = shown == Rate ? ours.Rate / baseline.Rate
            : shown == P99 || shown == Bulk ? baseline.Latency.P99 / ours.Latency.P99
            : double.NaN;
        return double.IsFinite(ratio) ? Format.Number(ratio, ratio < 10 ? "0.0" : "N0") + "x" : "-";
    }

    private Requirement Pace(RowResult row)
    {
        var (worst, all) = (rows.WorstLoss(row), rows.Loss(row));
        var isLong = row.Pace.Seconds >= AlmostMinute;
        var baseline = rows.Of(Rows.BaselineName, row.Row);
        return new Requirement(
            $"pace of the game: {row.Row}", "frames lost: 1 % in any 5 s" + (isLong ? ", 0.2 % over a minute" : ""),
            baseline is null ? "-" : Format.Percent(rows.WorstLoss(baseline)), $"{Format.Percent(worst)} in 5 s, {Format.Percent(all)} in {Format.Number(row.Pace.Seconds)} s", "-",
            worst is null ? null : row.HostAlive && worst <= MaxLossInWindow && (!isLong || all <= MaxLossInMinute), Fps(row));
    }
}

/// <summary>One requirement and its result. <c>IsMet</c> is null when this run did not measure it.</summary>
internal sealed record Requirement(string What, string AtLeast, string Baseline, string Ours, string Ratio, bool? IsMet, string Fps);
